import Primitives

/// Why an invocation, or the start of the process, failed. The platform shows it to the caller and the log, and
/// tries an asynchronous event again or puts it to the dead letters: it holds nothing secret.
package struct LambdaFailure: Error, Sendable, Hashable {
  /// `category.reason`, as the runtime API wants it.
  package let type: String
  /// What went wrong, as a sentence.
  package let message: String

  /// A failure.
  package init(type: String, message: String) {
    self.type = type
    self.message = message
  }

  /// What is no event that this function knows.
  package static func unknownEvent(_ message: String) -> LambdaFailure {
    LambdaFailure(type: "Function.UnknownEvent", message: message)
  }

  /// Work that could not be done now.
  package static func notDone(_ message: String) -> LambdaFailure {
    LambdaFailure(type: "Function.NotDone", message: message)
  }

  /// The body that the runtime API takes.
  var body: [UInt8] {
    var text = JSONText()
    text.object {
      $0.member("errorMessage", message)
      $0.member("errorType", type)
      $0.key("stackTrace")
      $0.array { _ in }
    }
    return text.bytes
  }
}
