import Domain
import Primitives

/// The queues of the index ``StoreTables/byTime``: what is due when. An item stands in one of them at most.
enum TimeQueue {
  /// Grants are used once a day, and a new time is written with each refresh: one partition of an index takes 1000
  /// such writes a second.
  static let useShards = 4

  /// Grants that are due for a use; a user's is always in the same shard.
  static func use(_ shard: Int) -> String { "use#\(shard)" }
  /// Limited connections, by when they end.
  static let ending = "ending"
  /// What is set aside because Google said `invalid_grant`, by since when.
  static let dead = "aside#invalid_grant"
  /// What is set aside for another reason.
  static let aside = "aside"
  /// Revocations owed, by their next attempt.
  static let orders = "orders"
  /// Revocation marks, by when they ended or else began.
  static let marks = "marks"

  /// Where the record of `user` stands. What is aside has no grant that could be used, and neither has a limited
  /// connection.
  static func entry(of record: ConnectionRecord, _ user: UserID) -> (queue: String, at: Timestamp)? {
    if let aside = record.aside {
      return (aside.reason == .invalidGrant ? dead : self.aside, aside.secret.since)
    }
    guard let connection = record.connection else { return nil }
    if connection.recordedStatus == .limited { return (ending, connection.accessExpiresAt) }
    return connection.nextUseAt.map { (use(shard(of: user)), $0) }
  }

  private static func shard(of user: UserID) -> Int {
    // FNV-1a: any spread will do, as long as it is the same in every process.
    let hash = user.rawValue.utf8.reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return Int(hash % UInt32(useShards))
  }
}

extension DynamoDB {
  /// The keys of what stands in `queue`, up to `end` or after `start`, the earliest first.
  func due(
    _ queue: String, in tables: StoreTables, until end: Timestamp? = nil, after start: Timestamp? = nil,
    from first: Timestamp? = nil, limit: Int = .max
  ) async throws(AWSError) -> [DynamoDBItem] {
    var keys: DynamoDBExpression = "\(name: "Queue") = \(.string(queue))"
    if let end { keys = "\(expression: keys) AND \(name: "At") <= \(.timestamp(end))" }
    if let start { keys = "\(expression: keys) AND \(name: "At") > \(.timestamp(start))" }
    if let first { keys = "\(expression: keys) AND \(name: "At") >= \(.timestamp(first))" }
    var query = DynamoDBQuery(tables.own, index: StoreTables.byTime, keys: keys)
    if limit < 1000 { query.pageSize = limit }
    return try await items(of: query, limit: limit)
  }
}

extension DynamoDBItem {
  /// The user whose record has this key.
  var user: UserID? {
    guard let key = self["PK"]?.string, key.hasPrefix(ItemKey.userPrefix) else { return nil }
    return UserID(String(key.dropFirst(ItemKey.userPrefix.count)))
  }
}
