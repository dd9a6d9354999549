import Domain
import Primitives

/// Whose an e-mail address is: by the older backend's index, and by a lock item in our own table, which makes an
/// address one user's. Users whom the older backend made have no lock until they first sign in.
struct EmailOwners: Sendable {
  let dynamoDB: DynamoDB
  let tables: StoreTables

  /// Who may be meant by an address.
  struct Candidates {
    /// Users with the address as typed, whom the index knows; it may be behind.
    var typed: [UserID] = []
    /// The owner of the lock on the folded address.
    var lock: UserID?
  }

  /// No key is longer, in bytes, with room for its prefix (Amazon DynamoDB Developer Guide, "Quotas").
  private static let longest = 2000

  /// The candidates for `email`, asked for side by side.
  func candidates(for email: EmailAddress) async throws(AWSError) -> Candidates {
    // Anyone may send anything as an address.
    guard max(email.typed.utf8.count, email.folded.utf8.count) <= Self.longest else { return Candidates() }
    async let typed = idsOrError(email.typed)
    async let lock = lockOrError(email.folded)
    return Candidates(typed: try await typed.get(), lock: try await lock.get())
  }

  /// The users with just that address, as the index has them.
  func ids(_ address: String) async throws(AWSError) -> [UserID] {
    // An index cannot be asked for an empty key.
    guard !address.isEmpty else { return [] }
    var query = DynamoDBQuery(
      tables.users, index: tables.usersByEmail, keys: "\(name: "Email") = \(.string(address))")
    query.projection = ["UserID"]
    return try await dynamoDB.items(of: query).compactMap { $0["UserID"]?.string.map { UserID($0) } }
  }

  /// The owner of the lock on `folded`.
  func lock(_ folded: String) async throws(AWSError) -> UserID? {
    try await dynamoDB.getItem(tables.own, key: ItemKey.email(folded))?["UserID"]?.string.map { UserID($0) }
  }

  /// Locks `folded` for `owner`, unless it is locked.
  func lock(_ folded: String, for owner: UserID) async throws(AWSError) {
    do throws(AWSError) {
      try await dynamoDB.putItem(
        tables.own, Self.item(folded, owner: owner), condition: "attribute_not_exists(\(name: "PK"))",
        isRepeatable: true)
    } catch {
      guard error.failure?.isConditionalCheckFailed ?? false else { throw error }
    }
  }

  /// The write that locks `folded` for `owner`: only if it is free, or belongs to `stale`.
  func locking(_ folded: String, for owner: UserID, insteadOf stale: UserID?) -> TransactionWrite {
    let free: DynamoDBExpression = "attribute_not_exists(\(name: "PK"))"
    let condition = stale.map { "\(expression: free) OR \(name: "UserID") = \(.string($0.rawValue))" } ?? free
    return .put(table: tables.own, Self.item(folded, owner: owner), condition: condition)
  }

  /// The writes that unlock the address of `user`; none where the lock is another's, who has the same address
  /// in another case since before there were locks.
  func unlocking(_ user: User) async throws(AWSError) -> [TransactionWrite] {
    let folded = EmailAddress.fold(user.email)
    guard try await lock(folded) == user.id else { return [] }
    let isTheirs: DynamoDBExpression = "\(name: "UserID") = \(.string(user.id.rawValue))"
    return [.delete(table: tables.own, key: ItemKey.email(folded), condition: isTheirs)]
  }

  private static func item(_ folded: String, owner: UserID) -> DynamoDBItem {
    var item = ItemKey.email(folded)
    item["UserID"] = .string(owner.rawValue)
    return item
  }

  private func idsOrError(_ address: String) async -> Result<[UserID], AWSError> {
    do throws(AWSError) { return .success(try await ids(address)) } catch { return .failure(error) }
  }

  private func lockOrError(_ folded: String) async -> Result<UserID?, AWSError> {
    do throws(AWSError) { return .success(try await lock(folded)) } catch { return .failure(error) }
  }
}
