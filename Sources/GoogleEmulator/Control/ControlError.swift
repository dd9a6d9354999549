import HTTP
import Primitives

/// What is wrong with a control request, in a sentence for the person who wrote it.
struct ControlError: Error {
  let message: String

  init(_ message: String) { self.message = message }

  var response: HTTPResponse { .control(400, ["error": .string(message)]) }
}

extension HTTPResponse {
  /// A reply of the control interface.
  static func control(_ status: Int, _ body: JSONValue) -> HTTPResponse {
    HTTPResponse(
      status: status,
      fields: ["Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"],
      body: body.serialized)
  }
}
