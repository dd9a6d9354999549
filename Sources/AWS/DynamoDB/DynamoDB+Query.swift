import Primitives

/// Which items to read, in which order.
package struct DynamoDBQuery: Sendable {
  /// The table.
  package var table: String
  /// The index; nil for the table itself.
  package var index: String?
  /// The key condition; nil reads the whole table or index, in no order (a scan).
  package var keys: DynamoDBExpression?
  /// What the items read must meet to be given.
  package var filter: DynamoDBExpression?
  /// Whether the sort key ascends.
  package var isAscending = true
  /// Whether every write that was acknowledged before is to be seen; an index cannot.
  package var isConsistent = false
  /// The attributes wanted; all (that the index has) when empty.
  package var projection: [String] = []
  /// How many items one request reads; nil for as many as fit into 1 MB.
  package var pageSize: Int?

  /// A query of `table`, or of its `index`.
  package init(_ table: String, index: String? = nil, keys: DynamoDBExpression?) {
    self.table = table
    self.index = index
    self.keys = keys
  }
}

/// A part of what was asked for.
package struct DynamoDBPage: Sendable {
  /// The items; there may be none though more follow.
  package let items: [DynamoDBItem]
  /// Where the next page begins; nil after the last.
  package let next: DynamoDBItem?
}

extension DynamoDB {
  /// One page, from `start`, or from the beginning.
  package func page(of query: DynamoDBQuery, from start: DynamoDBItem? = nil) async throws(AWSError)
    -> DynamoDBPage
  {
    let reply = try await call(query.keys == nil ? .scan : .query) { $0.query(query, from: start) }
    let next = try reply["LastEvaluatedKey"].map { (json) throws(AWSError) in try Self.item(json) }
    return DynamoDBPage(items: try Self.items(reply["Items"]), next: next)
  }

  /// The first `limit` items, from as many pages as that takes.
  package func items(of query: DynamoDBQuery, limit: Int = .max) async throws(AWSError) -> [DynamoDBItem] {
    var items: [DynamoDBItem] = []
    var start: DynamoDBItem?
    repeat {
      let page = try await page(of: query, from: start)
      items += page.items
      start = page.next
    } while start != nil && items.count < limit
    return Array(items.prefix(limit))
  }
}

extension JSONText {
  fileprivate mutating func query(_ query: DynamoDBQuery, from start: DynamoDBItem?) {
    var placeholders = ExpressionPlaceholders()
    member("TableName", query.table)
    member("IndexName", query.index)
    if let keys = query.keys {
      member("KeyConditionExpression", placeholders.render(keys))
      member("ScanIndexForward", query.isAscending)
    }
    if let filter = query.filter { member("FilterExpression", placeholders.render(filter)) }
    if query.isConsistent { member("ConsistentRead", true) }
    if !query.projection.isEmpty {
      member("ProjectionExpression", placeholders.render(names: query.projection))
    }
    if let size = query.pageSize { member("Limit", Int64(size)) }
    member("ExclusiveStartKey", start)
    placeholders.write(to: &self)
  }
}
