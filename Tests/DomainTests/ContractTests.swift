import Primitives
import TestSupport
import Testing

/// The ports' promises, held against the in-memory adapters that the other tests rely on.
@Suite struct ContractTests {
  private let store = StoreFixture(InMemoryStore(time: TestClock().source))

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
