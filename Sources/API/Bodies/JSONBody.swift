import HTTP
import Primitives

/// A request body read as a JSON object whose members are looked at one by one.
struct JSONBody {
  private let members: [String: JSONValue]
  /// How the endpoint names a missing member: the reference words it differently from one to the next.
  private let missing: @Sendable (String) -> ErrorResponse

  /// Reads the body; an empty one lacks everything, which `missing` says of the member `whenEmpty`.
  init(
    _ request: HTTPRequest, whenEmpty: String, missing: @escaping @Sendable (String) -> ErrorResponse
  ) throws(ErrorResponse) {
    self.missing = missing
    guard !request.body.isEmpty else { throw missing(whenEmpty) }
    guard let value = JSONValue(json: request.body) else { throw .invalidJSON }
    guard let members = value.object else { throw .invalidRequest("The request body must be a JSON object.") }
    self.members = members
  }

  /// The member `name`; nil when it is absent or null.
  func value(_ name: String) -> JSONValue? {
    guard let value = members[name], value != .null else { return nil }
    return value
  }

  /// The text `name`, which has to be there.
  func text(_ name: String) throws(ErrorResponse) -> String {
    guard let value = value(name) else { throw missing(name) }
    guard let text = value.string else { throw .invalidRequest("'\(name)' must be a string.") }
    return text
  }
}
