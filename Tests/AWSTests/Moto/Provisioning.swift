import AWS
import Primitives

/// What an operator makes before PayPulse runs, and tests make for themselves.
enum QueueCreation: String, AWSAction {
  case createQueue = "CreateQueue"
  case receiveMessage = "ReceiveMessage"

  static var service: AWSService { .sqs }
  var isRepeatable: Bool { true }
}

enum KeyCreation: String, AWSAction {
  case createKey = "CreateKey"

  static var service: AWSService { .kms }
  var isRepeatable: Bool { false }
}

extension AWSClient {
  /// A new KMS key; its id.
  func makeKey() async throws -> String {
    try await call(KeyCreation.createKey, [:])["KeyMetadata"]?["KeyId"]?.string ?? ""
  }

  /// A new queue; its address.
  func makeQueue(_ name: String) async throws -> String {
    try await call(QueueCreation.createQueue, ["QueueName": .string(name)])["QueueUrl"]?.string ?? ""
  }
}
