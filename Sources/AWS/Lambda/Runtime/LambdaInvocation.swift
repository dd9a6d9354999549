import Primitives

/// One event that the platform hands to this process.
package struct LambdaInvocation: Sendable {
  /// Names the invocation.
  package let id: String
  /// When the platform ends the process if it has not answered.
  package let deadline: Timestamp
  /// The X-Ray trace that it belongs to; nil when there is none.
  package let traceID: String?
  /// The event, as it came: JSON.
  package let event: [UInt8]

  /// An invocation.
  package init(id: String, deadline: Timestamp, traceID: String? = nil, event: [UInt8]) {
    self.id = id
    self.deadline = deadline
    self.traceID = traceID
    self.event = event
  }
}

/// Answers invocations, one at a time.
package protocol LambdaHandler: Sendable {
  /// The result, as JSON. Nothing that is not durable may be left to do when it returns: the process is frozen
  /// until the next invocation, or for good.
  func respond(to invocation: LambdaInvocation) async throws(LambdaFailure) -> [UInt8]
}
