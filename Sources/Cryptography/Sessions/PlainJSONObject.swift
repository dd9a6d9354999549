import Primitives

/// Reads the one kind of JSON object that session tokens hold in practice: no white space, names and
/// texts of ASCII without escapes, whole numbers. Many times as fast as a general decoder; anything else is
/// left to that one.
enum PlainJSONObject {
  /// One member.
  struct Member {
    let name: String
    let value: JSONValue
  }

  /// More members than this, which are searched one after another, are left to the general decoder.
  private static let maximumCount = 16

  /// The members of `json` in order; nil when it is not of the plain kind, or names a member twice.
  static func members(of json: [UInt8]) -> [Member]? {
    json.withUnsafeBufferPointer { buffer in
      var scanner = Scanner(rest: buffer[...])
      return scanner.object()
    }
  }

  private struct Scanner {
    var rest: Slice<UnsafeBufferPointer<UInt8>>

    mutating func object() -> [Member]? {
      guard skip("{") else { return nil }
      var members: [Member] = []
      members.reserveCapacity(8)
      repeat {
        guard let name = text(), skip(":"), let value = value(), members.count < maximumCount,
          !members.contains(where: { $0.name == name })
        else { return nil }
        members.append(Member(name: name, value: value))
      } while skip(",")
      return skip("}") && rest.isEmpty ? members : nil
    }

    private mutating func value() -> JSONValue? {
      rest.first == UInt8(ascii: "\"") ? text().map(JSONValue.string) : number().map(JSONValue.integer)
    }

    private mutating func text() -> String? {
      guard skip("\""), let end = rest.firstIndex(where: Self.endsText), rest[end] == UInt8(ascii: "\"")
      else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// Whether `byte` is the closing quote, or does not belong into a plain text.
    private static func endsText(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte > 0x7E
    }

    /// A whole number of at most 18 digits, which fits 64 bits; no leading zero (RFC 8259 section 6).
    private mutating func number() -> Int64? {
      let negative = skip("-")
      let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      guard (1...18).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0")
      else { return nil }
      rest = rest[digits.endIndex...]
      let magnitude = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
      return negative ? -magnitude : magnitude
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }
  }
}
