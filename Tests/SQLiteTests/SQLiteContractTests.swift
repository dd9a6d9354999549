import Primitives
import TestSupport
import Testing

@testable import SQLite

/// The ports' promises, held against the adapters over a database file.
@Suite struct SQLiteContractTests {
  private let files: TemporaryDatabase
  private let store: StoreFixture

  init() throws {
    files = try TemporaryDatabase()
    store = StoreFixture(try files.open())
  }

  @Test("User store", arguments: UserStoreContract.promises)
  func userStore(_ promise: Promise) async throws { try await promise.verify(store) }

  @Test("Token vault", arguments: TokenVaultContract.promises)
  func tokenVault(_ promise: Promise) async throws { try await promise.verify(store) }

  @Test("Values set aside", arguments: TokenVaultAsidesContract.promises)
  func asides(_ promise: Promise) async throws { try await promise.verify(store) }

  @Test("Lists", arguments: TokenVaultListsContract.promises)
  func lists(_ promise: Promise) async throws { try await promise.verify(store) }

  @Test("Leases", arguments: RefreshLeaseContract.promises)
  func leases(_ promise: Promise) async throws { try await promise.verify(store) }

  @Test("Revocation queue", arguments: RevocationQueueContract.promises)
  func revocationQueue(_ promise: Promise) async throws { try await promise.verify(store) }

  @Test("Refresh ledger", arguments: RefreshLedgerContract.promises)
  func refreshLedger(_ promise: Promise) async throws { try await promise.verify(store) }
}
