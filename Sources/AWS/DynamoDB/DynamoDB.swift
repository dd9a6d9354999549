import Primitives

/// Amazon DynamoDB's actions, typed.
package struct DynamoDB: Sendable {
  let client: AWSClient

  /// The actions over `client`.
  package init(client: AWSClient) { self.client = client }

  /// The item with `key`; nil when there is none. Only the attributes named in `projection`, unless that is empty.
  package func getItem(
    _ table: String, key: DynamoDBItem, consistent: Bool = true, projection: [String] = []
  ) async throws(AWSError) -> DynamoDBItem? {
    let reply = try await call(.getItem) { text in
      text.member("TableName", table)
      text.member("Key", key)
      text.member("ConsistentRead", consistent)
      text.projection(projection)
    }
    return try reply["Item"].map { (json) throws(AWSError) in try Self.item(json) }
  }

  func call(
    _ action: DynamoDBAction, isRepeatable: Bool? = nil, _ members: (inout JSONText) -> Void
  ) async throws(AWSError) -> JSONValue {
    var text = JSONText(capacity: 512)
    text.object(members)
    return try await client.call(action, body: text.bytes, isRepeatable: isRepeatable)
  }

  /// The item in a reply; one that cannot be read is a reply that says nothing.
  static func item(_ json: JSONValue) throws(AWSError) -> DynamoDBItem {
    guard let item = DynamoDBItem(json: json) else { throw .unavailable }
    return item
  }

  static func items(_ json: JSONValue?) throws(AWSError) -> [DynamoDBItem] {
    var items: [DynamoDBItem] = []
    for element in json?.array ?? [] { items.append(try item(element)) }
    return items
  }
}

extension JSONText {
  /// The members that name the attributes wanted, with placeholders of their own.
  mutating func projection(_ names: [String]) {
    if names.isEmpty { return }
    var placeholders = ExpressionPlaceholders()
    member("ProjectionExpression", placeholders.render(names: names))
    placeholders.write(to: &self)
  }

  /// A condition, and that the item which does not meet it is to be told.
  mutating func condition(_ condition: DynamoDBExpression?, _ placeholders: inout ExpressionPlaceholders) {
    guard let condition else { return }
    member("ConditionExpression", placeholders.render(condition))
    member("ReturnValuesOnConditionCheckFailure", "ALL_OLD")
  }
}
