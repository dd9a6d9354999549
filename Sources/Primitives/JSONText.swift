/// A value that writes itself as JSON. Replies do: a `JSONEncoder` would take half of a request's time.
public protocol JSONWritable {
  /// Appends the value to `text`.
  func write(to text: inout JSONText)
}

/// Appends JSON (RFC 8259) to memory of its own: for log lines and replies. Every request writes some, and an array would
/// look before each byte whether somebody else has it too.
public struct JSONText: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  private var count = 0
  private var needsComma = false

  /// An empty text with room for `capacity` bytes at first.
  public init(capacity: Int = 256) { memory = .allocate(byteCount: max(16, capacity), alignment: 1) }

  deinit { memory.deallocate() }

  private var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// What was written so far.
  public var bytes: [UInt8] { Array(written) }

  /// What was written so far, as a string.
  public var string: String { String(decoding: written, as: UTF8.self) }

  /// `{`, then what `members` writes, then `}`.
  public mutating func object(_ members: (inout JSONText) -> Void) {
    enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  /// `[`, then what `elements` writes, then `]`.
  public mutating func array(_ elements: (inout JSONText) -> Void) {
    enclosed(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  /// Ends the line; the next value stands on one of its own.
  public mutating func endLine() {
    append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// A member's name; its value must follow.
  public mutating func key(_ name: String) {
    separate()
    quote(name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member's name that stands in the source; its value must follow.
  public mutating func key(_ name: StaticString) {
    value(name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member with a text; nothing at all without one.
  public mutating func member(_ name: String, _ text: String?) {
    guard let text else { return }
    key(name)
    value(text)
  }

  /// A member with a flag.
  public mutating func member(_ name: String, _ flag: Bool) {
    key(name)
    value(flag)
  }

  /// A member with an integer.
  public mutating func member(_ name: String, _ number: Int64) {
    key(name)
    value(number)
  }

  /// A member with a value of its own; nothing at all without one.
  public mutating func member(_ name: String, _ value: (some JSONWritable)?) {
    guard let value else { return }
    key(name)
    value.write(to: &self)
  }

  /// A string.
  public mutating func value(_ text: String) {
    separate()
    quote(text)
  }

  /// A string that stands in the source.
  public mutating func value(_ text: StaticString) {
    separate()
    text.withUTF8Buffer { quote($0) }
  }

  /// An integer.
  public mutating func value(_ number: Int64) { raw(String(number)) }

  /// A number; `null` when it is not finite, which JSON cannot say.
  public mutating func value(_ number: Double) { raw(number.isFinite ? "\(number)" : "null") }

  /// `true` or `false`.
  public mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

  /// `null`.
  public mutating func null() { raw("null") }

  private mutating func raw(_ text: String) {
    separate()
    text.withContiguousUTF8 { append($0) }
  }

  private mutating func separate() {
    if needsComma { append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func enclosed(_ open: UInt8, _ close: UInt8, _ content: (inout JSONText) -> Void) {
    separate()
    append(open)
    needsComma = false
    content(&self)
    append(close)
    needsComma = true
  }

  private mutating func quote(_ text: String) { text.withContiguousUTF8 { quote($0) } }

  private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    // Nearly every text needs no escape, and is copied as a whole.
    if text.containsControl(or: UInt8(ascii: "\""), UInt8(ascii: "\\")) {
      for byte in text { escape(byte) }
    } else {
      append(text)
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      append(UInt8(ascii: "\\"))
      append(byte)
    case 0x0A:
      append(UInt8(ascii: "\\"))
      append(UInt8(ascii: "n"))
    case 0..<0x20, 0x7F:
      for character in #"\u00"#.utf8 { append(character) }
      append(Self.hex(byte >> 4))
      append(Self.hex(byte & 15))
    default: append(byte)
    }
  }

  private static func hex(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }

  private mutating func append(_ byte: UInt8) {
    if count == memory.count { makeRoom(for: 1) }
    memory[count] = byte
    count += 1
  }

  private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    if text.count > memory.count - count { makeRoom(for: text.count) }
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: UnsafeRawBufferPointer(text))
    count += text.count
  }

  private mutating func makeRoom(for more: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(2 * memory.count, count + more), alignment: 1)
    larger.copyMemory(from: written)
    memory.deallocate()
    memory = larger
  }
}
