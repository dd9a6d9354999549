import FoundationEssentials
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
    guard !Self.hasTrailingComma(request.body),
      let value = try? JSONDecoder().decode(JSONValue.self, from: Data(request.body))
    else {
      throw .invalidJSON
    }
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

  /// Whether a comma stands right before a closing bracket: the decoder lets that pass, RFC 8259 does not.
  private static func hasTrailingComma(_ body: [UInt8]) -> Bool {
    var (isInText, isEscaped, wasComma) = (false, false, false)
    for byte in body {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "}") where wasComma, UInt8(ascii: "]") where wasComma: return true
      case UInt8(ascii: "\""): isInText = true
      default: break
      }
      wasComma = byte == UInt8(ascii: ",")
    }
    return false
  }
}
