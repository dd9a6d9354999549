import Domain
import Primitives

/// A vault over connection records in DynamoDB, wherever its values live.
package protocol RecordBackedVault: TokenVault {
  /// The records, and the place.
  var connections: ConnectionStore { get }
}

extension RecordBackedVault {
  package func read(_ user: UserID) async throws(StoreError) -> VaultSnapshot {
    try await connections.read(user)
  }

  package func update<Result: Sendable>(
    _ user: UserID, account: GoogleSubject?,
    _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
  ) async throws(StoreError) -> Result {
    try await connections.update(user, account: account, decide)
  }

  package func acquireLease(on user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
    async throws(StoreError) -> LeaseAttempt
  {
    try await connections.acquireLease(on: user, owner: owner, now: now, until: expiry)
  }

  package func release(_ lease: RefreshLease, on user: UserID) async throws(StoreError) {
    try await connections.release(lease, on: user)
  }

  package func dueForUse(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try await connections.dueForUse(at: now, limit: limit)
  }

  package func spent(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try await connections.spent(at: now, limit: limit)
  }

  package func setAside(since: Timestamp) async throws(StoreError) -> [UserID] {
    try await connections.setAside(since: since)
  }

  package func discardAsides(before: Timestamp) async throws(StoreError) {
    try await connections.discardAsides(before: before)
  }

  package func connections() async throws(StoreError) -> [Profile] { try await connections.profiles() }
}

/// Tokens in AWS Secrets Manager, as the older backend keeps them, so that either can take over from the other.
package struct SecretsManagerTokenVault: RecordBackedVault {
  /// The records, and the place.
  package let connections: ConnectionStore
}

/// Tokens in DynamoDB, sealed by KMS: without Secrets Manager's price for each secret and its limit on writes. The
/// older backend does not see them.
package struct DynamoDBTokenVault: RecordBackedVault {
  /// The records, and the place.
  package let connections: ConnectionStore
}
