import Primitives

/// Why AWS did not do what it was asked. Holds nothing of the request that could be shown by printing it.
package enum AWSError: Error, Sendable, Hashable {
  /// The service refused the request for what it is, and did nothing.
  case service(ServiceFailure)
  /// Too many requests, also after several attempts. Nothing was done.
  case throttled
  /// No connection, also after several attempts. Nothing was done.
  case unreachable
  /// A failure on AWS's side, a broken connection, or a reply that says nothing: it may have been done.
  case unavailable
  /// The time was up; it may have been done.
  case timedOut
  /// AWS refuses our credentials, or they do not allow this. Nothing was done, and only the operator can mend it.
  case denied(code: String)
  /// There are no credentials. Nothing was done.
  case noCredentials(CredentialError)
  /// The task was cancelled; it may have been done.
  case cancelled

  /// Whether the request may have been carried out all the same.
  package var mayHaveBeenDone: Bool {
    switch self {
    case .unavailable, .timedOut, .cancelled: true
    case .service(let failure): failure.followsUnknownOutcome
    case .throttled, .unreachable, .denied, .noCredentials: false
    }
  }

  /// The failure that the service named.
  package var failure: ServiceFailure? { if case .service(let failure) = self { failure } else { nil } }
}

/// A refusal by a service.
package struct ServiceFailure: Sendable, Hashable {
  /// The error's name, as in `ConditionalCheckFailedException`.
  package let code: String
  /// What the service says about it. Services repeat parts of a request they find invalid, so it is not shown.
  package let message: Secret
  /// Why each write of a transaction was not done, in their order; empty for anything else.
  package let cancellationReasons: [CancellationReason]
  /// The item that did not meet the condition, where the request asked for it.
  package let item: DynamoDBItem?
  /// Whether an earlier attempt of the same call ended without saying if it was done: what is refused now may be
  /// the repetition of a success. A store finds out by the item.
  package internal(set) var followsUnknownOutcome = false

  /// A refusal.
  package init(
    code: String, message: Secret = Secret(""), cancellationReasons: [CancellationReason] = [],
    item: DynamoDBItem? = nil
  ) {
    self.code = code
    self.message = message
    self.cancellationReasons = cancellationReasons
    self.item = item
  }
}

extension ServiceFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The error's name alone.
  package var description: String { code }
  /// The error's name alone.
  package var debugDescription: String { code }
  /// The error's name alone.
  package var customMirror: Mirror { Mirror(self, children: ["code": code]) }
}

/// What became of one write of a transaction that was cancelled.
package struct CancellationReason: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// `ConditionalCheckFailed`, `TransactionConflict`, …; `None` when this write was not the reason.
  package let code: String
  /// The item that did not meet the condition, where the request asked for it.
  package let item: DynamoDBItem?

  /// A reason.
  package init(code: String, item: DynamoDBItem? = nil) {
    self.code = code
    self.item = item
  }

  /// Whether the item did not meet this write's condition.
  package var isConditionalCheckFailed: Bool { code == "ConditionalCheckFailed" }

  /// The code alone.
  package var description: String { code }
  /// The code alone.
  package var customMirror: Mirror { Mirror(self, children: ["code": code]) }
}
