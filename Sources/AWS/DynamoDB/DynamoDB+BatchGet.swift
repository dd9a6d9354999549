import Primitives

extension DynamoDB {
  /// Items to be read from one table.
  package struct Keys: Sendable {
    /// The table.
    package let table: String
    /// The items' keys, none twice.
    package let keys: [DynamoDBItem]
    /// Whether every write that was acknowledged before is to be seen.
    package let consistent: Bool
    /// The attributes wanted, the keys' among them; all when empty.
    package let projection: [String]

    /// Items to be read.
    package init(
      table: String, keys: [DynamoDBItem], consistent: Bool = true, projection: [String] = []
    ) {
      self.table = table
      self.keys = keys
      self.consistent = consistent
      self.projection = projection
    }
  }

  /// BatchGetItem takes so many keys at once.
  private static let batchSize = 100

  /// The items that exist, by table, in no order. Each table is named once. What DynamoDB leaves out for want of
  /// capacity is asked for again; fails with `throttled` when that brings nothing more.
  package func batchGetItems(_ requests: [Keys]) async throws(AWSError) -> [String: [DynamoDBItem]] {
    var found: [String: [DynamoDBItem]] = [:]
    var open = requests.filter { !$0.keys.isEmpty }
    var fruitless = 0
    while !open.isEmpty {
      let (now, later) = Self.split(open)
      let reply = try await call(.batchGetItem) { text in
        text.key("RequestItems")
        text.object { for request in now { $0.member(request.table, request) } }
      }
      for (table, items) in reply["Responses"]?.object ?? [:] {
        found[table, default: []] += try Self.items(items)
      }
      let left = try Self.unprocessed(in: reply, of: now)
      let hasProgress = Self.count(left) < Self.count(now)
      fruitless = hasProgress ? 0 : fruitless + 1
      if !left.isEmpty {
        guard fruitless < client.maximumAttempts else { throw .throttled }
        try await client.breathe(afterAttempt: fruitless + 1)
      }
      open = Self.joined(left + later)
    }
    return found
  }

  private static func count(_ requests: [Keys]) -> Int { requests.reduce(0) { $0 + $1.keys.count } }

  /// The first hundred keys, and the others.
  private static func split(_ requests: [Keys]) -> (now: [Keys], later: [Keys]) {
    var (now, later): ([Keys], [Keys]) = ([], [])
    var room = batchSize
    for request in requests {
      let taken = request.keys.prefix(room)
      room -= taken.count
      if !taken.isEmpty { now.append(request.with(Array(taken))) }
      if taken.count < request.keys.count {
        later.append(request.with(Array(request.keys.dropFirst(taken.count))))
      }
    }
    return (now, later)
  }

  private static func unprocessed(in reply: JSONValue, of requests: [Keys]) throws(AWSError) -> [Keys] {
    var left: [Keys] = []
    for request in requests {
      let keys = try items(reply["UnprocessedKeys"]?[request.table]?["Keys"])
      if !keys.isEmpty { left.append(request.with(keys)) }
    }
    return left
  }

  /// One request a table.
  private static func joined(_ requests: [Keys]) -> [Keys] {
    var result: [Keys] = []
    for request in requests {
      if let index = result.firstIndex(where: { $0.table == request.table }) {
        result[index] = request.with(result[index].keys + request.keys)
      } else {
        result.append(request)
      }
    }
    return result
  }
}

extension DynamoDB.Keys: JSONWritable {
  /// Writes what BatchGetItem wants to know of a table.
  package func write(to text: inout JSONText) {
    text.object { text in
      text.key("Keys")
      text.array { for key in keys { key.write(to: &$0) } }
      text.member("ConsistentRead", consistent)
      text.projection(projection)
    }
  }

  fileprivate func with(_ keys: [DynamoDBItem]) -> Self {
    Self(table: table, keys: keys, consistent: consistent, projection: projection)
  }
}
