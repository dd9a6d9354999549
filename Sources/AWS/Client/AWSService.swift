/// A service of AWS that PayPulse calls.
package enum AWSService: Sendable, Hashable, CaseIterable {
  /// Amazon DynamoDB.
  case dynamoDB
  /// AWS Secrets Manager.
  case secretsManager
  /// AWS Key Management Service.
  case kms
  /// Amazon Simple Queue Service.
  case sqs

  /// The name in host names, signatures and IAM actions.
  package var name: String {
    switch self {
    case .dynamoDB: "dynamodb"
    case .secretsManager: "secretsmanager"
    case .kms: "kms"
    case .sqs: "sqs"
    }
  }

  /// The name in `AWS_ENDPOINT_URL_…` (AWS SDKs and Tools Reference Guide, "Service-specific endpoints").
  var environmentName: String {
    switch self {
    case .dynamoDB: "DYNAMODB"
    case .secretsManager: "SECRETS_MANAGER"
    case .kms: "KMS"
    case .sqs: "SQS"
    }
  }

  /// What stands before an action's name in `X-Amz-Target`.
  var targetPrefix: String {
    switch self {
    case .dynamoDB: "DynamoDB_20120810."
    case .secretsManager: "secretsmanager."
    case .kms: "TrentService."
    case .sqs: "AmazonSQS."
    }
  }

  /// The type of its JSON.
  var contentType: String {
    switch self {
    case .dynamoDB, .sqs: "application/x-amz-json-1.0"
    case .secretsManager, .kms: "application/x-amz-json-1.1"
    }
  }
}
