import Primitives

/// One write of a transaction. An item that does not meet its condition cancels the whole, and is told in the
/// failure's reasons.
package enum TransactionWrite: Sendable {
  /// Writes an item in place of the one with its key.
  case put(table: String, DynamoDBItem, condition: DynamoDBExpression? = nil)
  /// Changes the item with that key.
  case update(
    table: String, key: DynamoDBItem, DynamoDBExpression, condition: DynamoDBExpression? = nil)
  /// Removes the item with that key.
  case delete(table: String, key: DynamoDBItem, condition: DynamoDBExpression? = nil)
  /// Changes nothing.
  case check(table: String, key: DynamoDBItem, condition: DynamoDBExpression)
}

extension DynamoDB {
  /// Does all of `writes` (100 at most, each of another item) or none. Fails with `TransactionCanceledException`
  /// and a reason a write when an item does not meet its condition. `token` (1 to 36 characters) makes a repetition
  /// within ten minutes do nothing; without one a new one is made.
  package func transactWriteItems(_ writes: [TransactionWrite], token: String? = nil) async throws(AWSError) {
    let token = token ?? client.token()
    _ = try await call(.transactWriteItems) { text in
      text.member("ClientRequestToken", token)
      text.key("TransactItems")
      text.array { for write in writes { write.write(to: &$0) } }
    }
  }
}

extension TransactionWrite: JSONWritable {
  /// Writes an element of `TransactItems`.
  package func write(to text: inout JSONText) {
    text.object { text in
      text.key(kind)
      text.object { writeMembers(to: &$0) }
    }
  }

  private var kind: StaticString {
    switch self {
    case .put: "Put"
    case .update: "Update"
    case .delete: "Delete"
    case .check: "ConditionCheck"
    }
  }

  private func writeMembers(to text: inout JSONText) {
    var placeholders = ExpressionPlaceholders()
    switch self {
    case .put(let table, let item, let condition):
      text.member("TableName", table)
      text.member("Item", item)
      text.condition(condition, &placeholders)
    case .update(let table, let key, let update, let condition):
      text.member("TableName", table)
      text.member("Key", key)
      text.member("UpdateExpression", placeholders.render(update))
      text.condition(condition, &placeholders)
    case .delete(let table, let key, let condition):
      text.member("TableName", table)
      text.member("Key", key)
      text.condition(condition, &placeholders)
    case .check(let table, let key, let condition):
      text.member("TableName", table)
      text.member("Key", key)
      text.condition(condition, &placeholders)
    }
    placeholders.write(to: &text)
  }
}
