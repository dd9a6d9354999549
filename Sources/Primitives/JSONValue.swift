/// Any JSON value: for bodies whose members may have more than one type, as Google's and old apps' do.
public enum JSONValue: Sendable, Hashable, JSONWritable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// The member `name` of an object; nil when this is no object or has none.
  public subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The text of a string.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The value of a boolean.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The value of an integer.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The elements of an array.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The members of an object.
  public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  /// The value as JSON, members sorted by name.
  public var serialized: [UInt8] {
    var text = JSONText()
    write(to: &text)
    return text.bytes
  }

  /// Writes the value as JSON, members sorted by name.
  public func write(to text: inout JSONText) {
    switch self {
    case .null: text.null()
    case .bool(let flag): text.value(flag)
    case .integer(let number): text.value(number)
    case .number(let number): text.value(number)
    case .string(let string): text.value(string)
    case .array(let elements): text.array { for element in elements { element.write(to: &$0) } }
    case .object(let members):
      text.object {
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          $0.key(name)
          value.write(to: &$0)
        }
      }
    }
  }
}

extension JSONValue: Codable {
  /// Values may be nested so deep, which is more than any body of ours or of Google's: reading them recurses,
  /// and a thread's stack may be as small as 512 KiB.
  public static let deepestNesting = 64

  /// Reads whatever stands there; fails when it is nested deeper than ``deepestNesting``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if decoder.codingPath.count >= Self.deepestNesting {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "nested too deep")
    } else if let elements = try? container.decode([JSONValue].self) {
      self = .array(elements)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of members with one name the last stands.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}
