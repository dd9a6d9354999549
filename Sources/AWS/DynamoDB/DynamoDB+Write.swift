import Primitives

extension DynamoDB {
  /// What an update or a removal tells about the item.
  package enum ReturnedValues: String, Sendable {
    /// Nothing.
    case none = "NONE"
    /// The item as it was before.
    case allOld = "ALL_OLD"
    /// The item as it is now; not for a removal.
    case allNew = "ALL_NEW"
  }

  /// Writes `item` in place of the one with its key. Fails with `ConditionalCheckFailedException`, and the item
  /// that is there, when that does not meet `condition`. Repeated after an unknown outcome only if `isRepeatable`.
  package func putItem(
    _ table: String, _ item: DynamoDBItem, condition: DynamoDBExpression? = nil, isRepeatable: Bool = false
  ) async throws(AWSError) {
    _ = try await call(.putItem, isRepeatable: isRepeatable) { text in
      var placeholders = ExpressionPlaceholders()
      text.member("TableName", table)
      text.member("Item", item)
      text.condition(condition, &placeholders)
      placeholders.write(to: &text)
    }
  }

  /// Changes the item with `key`, which comes to be if there is none; gives what `returning` names. Fails with
  /// `ConditionalCheckFailedException`, and the item that is there, when that does not meet `condition`. Repeated
  /// after an unknown outcome only if `isRepeatable`.
  @discardableResult package func updateItem(
    _ table: String, key: DynamoDBItem, _ update: DynamoDBExpression, condition: DynamoDBExpression? = nil,
    returning: ReturnedValues = .none, isRepeatable: Bool = false
  ) async throws(AWSError) -> DynamoDBItem? {
    let reply = try await call(.updateItem, isRepeatable: isRepeatable) { text in
      var placeholders = ExpressionPlaceholders()
      text.member("TableName", table)
      text.member("Key", key)
      text.member("UpdateExpression", placeholders.render(update))
      text.condition(condition, &placeholders)
      placeholders.write(to: &text)
      if returning != .none { text.member("ReturnValues", returning.rawValue) }
    }
    return try Self.returned(in: reply)
  }

  /// Removes the item with `key`, if there is one; gives it if `returning` says so. Fails with
  /// `ConditionalCheckFailedException`, and the item that is there, when that does not meet `condition`. Repeated
  /// after an unknown outcome only if `isRepeatable`.
  @discardableResult package func deleteItem(
    _ table: String, key: DynamoDBItem, condition: DynamoDBExpression? = nil,
    returning: ReturnedValues = .none, isRepeatable: Bool = false
  ) async throws(AWSError) -> DynamoDBItem? {
    let reply = try await call(.deleteItem, isRepeatable: isRepeatable) { text in
      var placeholders = ExpressionPlaceholders()
      text.member("TableName", table)
      text.member("Key", key)
      text.condition(condition, &placeholders)
      placeholders.write(to: &text)
      if returning != .none { text.member("ReturnValues", returning.rawValue) }
    }
    return try Self.returned(in: reply)
  }

  private static func returned(in reply: JSONValue) throws(AWSError) -> DynamoDBItem? {
    guard let json = reply["Attributes"], json.object?.isEmpty == false else { return nil }
    return try item(json)
  }
}
