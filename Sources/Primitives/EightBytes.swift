/// Eight bytes of a text, looked through all at once: each question is a handful of instructions on one word.
struct EightBytes {
  private let word: UInt64
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Those of `bytes` from `offset` on.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// Whether one of them is `byte`.
  @inline(__always)
  func have(_ byte: UInt8) -> Bool { Self.hasMark(marks(of: byte)) }

  /// Whether one of them is below U+0020.
  @inline(__always)
  var haveControl: Bool { Self.hasMark(controlMarks) }

  /// Whether one of them is no ASCII.
  @inline(__always)
  var haveHighBit: Bool { word & Self.highBits != 0 }

  /// A word that ``hasMark(_:)`` where one of them is `byte`. Marks can be joined by `|`.
  @inline(__always)
  func marks(of byte: UInt8) -> UInt64 {
    let difference = word ^ (UInt64(byte) &* Self.ones)
    return (difference &- Self.ones) & ~difference
  }

  /// The same where one of them is below U+0020: subtracting carries into its highest bit.
  @inline(__always)
  var controlMarks: UInt64 { (word &- 0x20 &* Self.ones) & ~word }

  /// Whether marks say that something was found.
  @inline(__always)
  static func hasMark(_ marks: UInt64) -> Bool { marks & highBits != 0 }
}
