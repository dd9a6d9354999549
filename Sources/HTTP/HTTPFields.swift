import Primitives

/// Header fields in the order they came; names compare without regard to case (RFC 9110 section 5.1).
public struct HTTPFields: Sendable, ExpressibleByDictionaryLiteral, Sequence {
  /// One field line.
  public struct Field: Sendable, Hashable {
    /// The name as it was written.
    public let name: String
    /// The value without surrounding white space.
    public let value: String
    /// A field line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private var lines: [Field]

  /// The given lines in their order.
  public init(_ lines: [Field] = []) { self.lines = lines }

  /// The given lines in their order; a name may come more than once.
  public init(dictionaryLiteral elements: (String, String)...) {
    lines = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value of `name`. Setting replaces every line of that name; nil removes them.
  public subscript(name: String) -> String? {
    get { lines.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
    set {
      lines.removeAll { $0.name.equalsIgnoringASCIICase(name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Every value of `name`, in order.
  public func values(of name: String) -> [String] {
    lines.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// The type of the content, in lower case and without its parameters (RFC 9110 section 8.3.1); nil when it is not
  /// said.
  public var mediaType: String? {
    guard let type = self["Content-Type"]?.utf8 else { return nil }
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let essence = type.prefix { $0 != UInt8(ascii: ";") }.drop(while: isSpace)
    return String(decoding: essence.prefix { !isSpace($0) }, as: UTF8.self).lowercased()
  }

  /// Adds a line after those there are.
  public mutating func append(_ name: String, _ value: String) {
    lines.append(Field(name: name, value: value))
  }

  /// How many lines there are.
  public var count: Int { lines.count }

  /// The lines in order.
  public func makeIterator() -> IndexingIterator<[Field]> { lines.makeIterator() }
}

extension String {
  /// Whether both are the same but for the case of ASCII letters.
  public func equalsIgnoringASCIICase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withContiguousUTF8 { left in other.withContiguousUTF8 { right in Self.areEqual(left, right) } }
  }

  private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>)
    -> Bool
  {
    for index in left.indices where left[index] != right[index] {
      let folded = left[index] | 0x20
      guard folded == right[index] | 0x20, folded >= UInt8(ascii: "a"), folded <= UInt8(ascii: "z") else {
        return false
      }
    }
    return true
  }
}
