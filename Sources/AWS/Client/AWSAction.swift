/// Something that a service is asked to do. Each service has an enum of the actions that PayPulse calls, which the
/// roles in `deploy/aws/` are compared with.
package protocol AWSAction: RawRepresentable<String>, Sendable {
  /// The service that does it.
  static var service: AWSService { get }
  /// Whether asking again is as good as asking once, whatever became of the first time. A request that carries a
  /// token by which the service knows it again counts as such.
  var isRepeatable: Bool { get }
  /// The IAM actions that a role must allow for it.
  var permissions: [String] { get }
}

extension AWSAction {
  /// The action of its own name.
  package var permissions: [String] { [Self.service.name + ":" + rawValue] }
}

/// What PayPulse asks of DynamoDB.
package enum DynamoDBAction: String, CaseIterable, AWSAction {
  /// Reads one item.
  case getItem = "GetItem"
  /// Reads up to 100 items, of several tables.
  case batchGetItem = "BatchGetItem"
  /// Reads items with one partition key, in order.
  case query = "Query"
  /// Reads a whole table.
  case scan = "Scan"
  /// Writes an item.
  case putItem = "PutItem"
  /// Changes attributes of an item.
  case updateItem = "UpdateItem"
  /// Removes an item.
  case deleteItem = "DeleteItem"
  /// Several writes, all or none.
  case transactWriteItems = "TransactWriteItems"

  /// DynamoDB.
  package static var service: AWSService { .dynamoDB }

  /// Reads may be repeated, and a transaction carries a token. A single write does not.
  package var isRepeatable: Bool {
    switch self {
    case .getItem, .batchGetItem, .query, .scan, .transactWriteItems: true
    case .putItem, .updateItem, .deleteItem: false
    }
  }

  /// A transaction needs those of the writes in it (Developer Guide, "Using IAM with DynamoDB transactions").
  package var permissions: [String] {
    switch self {
    case .transactWriteItems:
      ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"].map { "dynamodb:" + $0 }
    default: ["dynamodb:" + rawValue]
    }
  }
}

/// What PayPulse asks of Secrets Manager.
package enum SecretsManagerAction: String, CaseIterable, AWSAction {
  /// Reads a value.
  case getSecretValue = "GetSecretValue"
  /// Makes a secret with its first value.
  case createSecret = "CreateSecret"
  /// Gives a secret a new value.
  case putSecretValue = "PutSecretValue"
  /// Tells about a secret, without its value.
  case describeSecret = "DescribeSecret"
  /// Removes a secret, at once or after a window.
  case deleteSecret = "DeleteSecret"
  /// Takes a removal back within its window.
  case restoreSecret = "RestoreSecret"

  /// Secrets Manager.
  package static var service: AWSService { .secretsManager }
  /// Those that make a version carry its id as their token; the others end in the same state each time.
  package var isRepeatable: Bool { true }
}

/// What PayPulse asks of KMS.
package enum KMSAction: String, CaseIterable, AWSAction {
  /// A new key, in the clear and wrapped.
  case generateDataKey = "GenerateDataKey"
  /// Unwraps a key.
  case decrypt = "Decrypt"

  /// KMS.
  package static var service: AWSService { .kms }
  /// Neither changes anything.
  package var isRepeatable: Bool { true }
}

/// What PayPulse asks of SQS.
package enum SQSAction: String, CaseIterable, AWSAction {
  /// Queues up to ten messages.
  case sendMessageBatch = "SendMessageBatch"

  /// SQS.
  package static var service: AWSService { .sqs }
  /// A standard queue may deliver twice in any case.
  package var isRepeatable: Bool { true }
  /// There is none for batches (Service Authorization Reference, "Actions defined by Amazon SQS").
  package var permissions: [String] { ["sqs:SendMessage"] }
}
