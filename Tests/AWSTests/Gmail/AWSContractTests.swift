import Primitives
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  /// The ports' promises, held against the adapters for AWS on moto, with tokens in either place.
  @Suite("The ports' promises on AWS")
  struct AWSContractTests {
    typealias Placement = AWSStores.TokenPlacement

    private func verify(_ promise: Promise, _ placement: Placement) async throws {
      try await promise.verify(try await StoresOnMoto(placement).fixture)
    }

    @Test("User store", arguments: UserStoreContract.promises, Placement.allCases)
    func userStore(_ promise: Promise, _ placement: Placement) async throws {
      try await verify(promise, placement)
    }

    @Test("Token vault", arguments: TokenVaultContract.promises, Placement.allCases)
    func tokenVault(_ promise: Promise, _ placement: Placement) async throws {
      try await verify(promise, placement)
    }

    @Test("Values set aside", arguments: TokenVaultAsidesContract.promises, Placement.allCases)
    func asides(_ promise: Promise, _ placement: Placement) async throws {
      try await verify(promise, placement)
    }

    @Test("Lists", arguments: TokenVaultListsContract.promises, Placement.allCases)
    func lists(_ promise: Promise, _ placement: Placement) async throws {
      try await verify(promise, placement)
    }

    @Test("Leases", arguments: RefreshLeaseContract.promises, Placement.allCases)
    func leases(_ promise: Promise, _ placement: Placement) async throws {
      try await verify(promise, placement)
    }

    @Test("Revocation queue", arguments: RevocationQueueContract.promises, Placement.allCases)
    func revocationQueue(_ promise: Promise, _ placement: Placement) async throws {
      try await verify(promise, placement)
    }

    @Test("Refresh ledger", arguments: RefreshLedgerContract.promises)
    func refreshLedger(_ promise: Promise) async throws { try await verify(promise, .secretsManager) }
  }
}
