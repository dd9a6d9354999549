import Primitives

/// The value of an attribute (Amazon DynamoDB API Reference, `AttributeValue`).
package enum AttributeValue: Sendable, Hashable {
  /// `S`.
  case string(String)
  /// `N`: a decimal number of up to 38 digits, as text.
  case number(String)
  /// `BOOL`.
  case bool(Bool)
  /// `B`: bytes, in base64 on the wire.
  case binary([UInt8])
  /// `M`.
  case map([String: AttributeValue])
  /// `L`.
  case list([AttributeValue])
  /// `NULL`.
  case null
  /// Any other kind, as it came: the sets, which PayPulse keeps as they are.
  case other(JSONValue)

  /// A whole number.
  package static func integer(_ value: some BinaryInteger) -> AttributeValue { .number(String(value)) }

  /// A moment, as microseconds since 1970.
  package static func timestamp(_ value: Timestamp) -> AttributeValue { .integer(value.microseconds) }

  /// The text of an `S`.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The digits of an `N`.
  package var number: String? { if case .number(let text) = self { text } else { nil } }

  /// The value of an `N` without a fraction, in whichever notation.
  package var integer: Int64? {
    number.flatMap { text in Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) } }
  }

  /// The moment of an `N` of microseconds.
  package var timestamp: Timestamp? { integer.map { Timestamp(microseconds: $0) } }

  /// The flag of a `BOOL`.
  package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The bytes of a `B`.
  package var binary: [UInt8]? { if case .binary(let bytes) = self { bytes } else { nil } }

  /// The members of an `M`.
  package var map: [String: AttributeValue]? { if case .map(let members) = self { members } else { nil } }

  /// The elements of an `L`.
  package var list: [AttributeValue]? { if case .list(let elements) = self { elements } else { nil } }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  /// An `S`.
  package init(stringLiteral value: String) { self = .string(value) }
  /// An `N`.
  package init(integerLiteral value: Int64) { self = .integer(value) }
  /// A `BOOL`.
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AttributeValue: JSONWritable {
  /// Writes `{"S":"…"}` and the like.
  package func write(to text: inout JSONText) {
    if case .other(let json) = self { return json.write(to: &text) }
    text.object { writeMember(to: &$0) }
  }

  private func writeMember(to text: inout JSONText) {
    switch self {
    case .string(let string): text.member("S", string)
    case .number(let digits): text.member("N", digits)
    case .bool(let flag): text.member("BOOL", flag)
    case .binary(let bytes): text.member("B", Base64.encode(bytes))
    case .map(let members): text.member("M", DynamoDBItem(members))
    case .list(let elements):
      text.key("L")
      text.array { for element in elements { element.write(to: &$0) } }
    case .null: text.member("NULL", true)
    case .other: break
    }
  }

  /// Reads `{"S":"…"}` and the like; nil when it is no such thing.
  package init?(json: JSONValue) {
    guard let members = json.object, members.count == 1, let (kind, value) = members.first else { return nil }
    switch (kind, value) {
    case ("S", .string(let text)): self = .string(text)
    case ("N", .string(let digits)): self = .number(digits)
    case ("BOOL", .bool(let flag)): self = .bool(flag)
    case ("NULL", .bool): self = .null
    case ("B", .string(let text)):
      guard let bytes = Base64.decode(text) else { return nil }
      self = .binary(bytes)
    case ("M", _):
      guard let item = DynamoDBItem(json: value) else { return nil }
      self = .map(item.attributes)
    case ("L", .array(let elements)):
      let values = elements.compactMap(AttributeValue.init(json:))
      guard values.count == elements.count else { return nil }
      self = .list(values)
    case ("SS", .array), ("NS", .array), ("BS", .array): self = .other(json)
    default: return nil
    }
  }
}
