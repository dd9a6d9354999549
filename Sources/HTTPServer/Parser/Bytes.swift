import Glibc
import Primitives

extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")

  /// `tchar` (RFC 9110 section 5.6.2).
  var isToken: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "!"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "|"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// What a field value may hold: no control byte but the tab (RFC 9110 section 5.5).
  var isFieldValue: Bool { self >= .space ? self != 0x7F : self == .tab }

  /// What a request target may hold: visible ASCII without `#`, for a fragment is never sent.
  var isTarget: Bool { self > .space && self < 0x7F && self != UInt8(ascii: "#") }

  /// Optional white space around a value (RFC 9110 section 5.6.3).
  var isBlank: Bool { self == .space || self == .tab }

  /// The value of a hexadecimal digit.
  var hexDigit: UInt64? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}

extension Span<UInt8> {
  /// The first `byte` at or after `start`.
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, start < buffer.count,
        let found = memchr(base + start, Int32(byte), buffer.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  /// The first index at or after `start` whose byte is not as `condition` asks; `count` without one.
  func end(of condition: (UInt8) -> Bool, from start: Int) -> Int {
    withUnsafeBufferPointer { buffer in
      var index = start
      while index < buffer.count, condition(buffer[index]) { index += 1 }
      return index
    }
  }

  /// Whether all from `start` on may stand in a field value. Usually no control byte is there, not even a tab.
  func isFieldValue(from start: Int) -> Bool {
    let hasControl = extracting(start...).withUnsafeBufferPointer { $0.containsControl() }
    return !hasControl || end(of: \.isFieldValue, from: start) == count
  }

  /// The line that begins at `start`, without its CRLF; nil while its end has not come. A bare LF is
  /// malformed. What is too long is so whether its end has come or not: arrival must change nothing.
  func line(from start: Int, limit: Int, tooLong: Refusal) throws(Refusal) -> Range<Int>? {
    let feed = firstIndex(of: .lineFeed, from: start)
    guard (feed ?? count) - start <= limit + 1 else { throw tooLong }
    guard let feed else { return nil }
    guard feed > start, self[feed - 1] == .carriageReturn else { throw .malformed }
    return start..<(feed - 1)
  }

  /// The bytes of `range` as text.
  func text(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

extension [UInt8] {
  /// Adds the bytes of `range`.
  mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    bytes.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
