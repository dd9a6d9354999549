import HTTP

/// The first line of a request (RFC 9112 section 3): method, target, version, one space between each.
struct RequestLine {
  let method: HTTPMethod
  let target: RequestTarget
  /// HTTP/1.1; else it is HTTP/1.0.
  let isVersion11: Bool

  /// How long a method and the version may make the line beyond its target.
  static let overhead = 64

  init(parsing line: Span<UInt8>, targetLimit: Int) throws(Refusal) {
    let methodEnd = line.end(of: \.isToken, from: 0)
    guard methodEnd > 0, methodEnd < Self.overhead / 2, methodEnd < line.count, line[methodEnd] == .space
    else {
      throw .malformed
    }
    let targetStart = methodEnd + 1
    let targetEnd = line.end(of: \.isTarget, from: targetStart)
    guard targetEnd - targetStart <= targetLimit else { throw .targetTooLong }
    guard targetEnd > targetStart, targetEnd < line.count, line[targetEnd] == .space else { throw .malformed }
    method = HTTPMethod(rawValue: line.text(0..<methodEnd))
    target = try RequestTarget(parsing: line.extracting(targetStart..<targetEnd), method: method)
    isVersion11 = try Self.version(line.extracting((targetEnd + 1)..<line.count))
  }

  /// `HTTP/` is case-sensitive, and a version is two single digits (RFC 9112 section 2.3).
  private static func version(_ bytes: Span<UInt8>) throws(Refusal) -> Bool {
    switch bytes.text(0..<bytes.count) {
    case "HTTP/1.1": return true
    case "HTTP/1.0": return false
    case let other:
      let form = Array(other.utf8)
      guard form.count == 8, other.hasPrefix("HTTP/"), form[6] == UInt8(ascii: "."), form[5].isDigit,
        form[7].isDigit
      else { throw .malformed }
      throw .unknownVersion
    }
  }
}

extension UInt8 {
  /// An ASCII digit.
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
