import Domain
import Primitives

/// One message of a queue, which may come more than once.
package struct QueueMessage: Sendable {
  /// Names the message in the batch's result.
  package let id: String
  /// What it asks for; nil when it asks for nothing that is known.
  package let task: QueuedTask?

  static func read(_ records: [JSONValue]) throws(LambdaFailure) -> [QueueMessage] {
    try records.map { record throws(LambdaFailure) in
      guard let id = record["messageId"]?.string, !id.isEmpty else {
        throw .unknownEvent("A message of the queue has no id.")
      }
      return QueueMessage(id: id, task: record["body"]?.string.flatMap { QueuedTask(message: $0) })
    }
  }

  /// The result of a batch: the messages named are to be delivered again, or end among the dead letters.
  ///
  /// Source: AWS Lambda Developer Guide, "Implementing partial batch responses".
  package static func result(failed: [QueueMessage]) -> [UInt8] {
    var text = JSONText()
    text.object {
      $0.key("batchItemFailures")
      $0.array { text in for message in failed { text.object { $0.member("itemIdentifier", message.id) } } }
    }
    return text.bytes
  }
}

/// What a message asks for.
package enum QueuedTask: Sendable, Hashable {
  /// The daily use of a user's grant.
  case useGrant(UserID)

  private static let useGrant = "use-grant"

  /// Reads a message; nil when it asks for nothing that is known.
  package init?(message: String) {
    guard let json = JSONValue(json: Array(message.utf8)), json["task"]?.string == Self.useGrant,
      let user = json["user_id"]?.string, !user.isEmpty
    else { return nil }
    self = .useGrant(UserID(user))
  }

  /// The message that asks for this.
  package var message: String {
    var text = JSONText()
    switch self {
    case .useGrant(let user):
      text.object {
        $0.member("task", Self.useGrant)
        $0.member("user_id", user.rawValue)
      }
    }
    return text.string
  }
}
