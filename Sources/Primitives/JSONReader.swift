extension JSONValue {
  /// The value that `json` says (RFC 8259, strictly: UTF-8 without a byte order mark, no comma too many); nil
  /// when it is not JSON, is nested deeper than ``deepestNesting``, or has a number that no `Double` holds. Of
  /// members with one name the last stands. Many times as fast as a `JSONDecoder`.
  public init?(json: [UInt8]) {
    let value = json.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes: bytes)
      return reader.document()
    }
    guard let value else { return nil }
    self = value
  }
}

/// Reads a JSON text from its beginning to its end. Each step gives nil where the text is not what it must be.
struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func document() -> JSONValue? {
    guard let value = value(depth: 0) else { return nil }
    skipSpace()
    // No conditional expression: the value's own null would be taken for this nil.
    guard position == bytes.count else { return nil }
    return value
  }

  private mutating func value(depth: Int) -> JSONValue? {
    skipSpace()
    switch current {
    case UInt8(ascii: "\""): return text().map { .string($0) }
    case UInt8(ascii: "{"): return depth < JSONValue.deepestNesting ? object(depth: depth) : nil
    case UInt8(ascii: "["): return depth < JSONValue.deepestNesting ? array(depth: depth) : nil
    case UInt8(ascii: "t"): return skip("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return skip("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return skip("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSONValue? {
    position += 1
    var members: [String: JSONValue] = [:]
    guard !closes(with: "}") else { return .object(members) }
    // Room for what most texts have at their top: growing would hash every name again.
    members.reserveCapacity(depth == 0 ? 12 : 3)
    repeat {
      skipSpace()
      guard let name = text() else { return nil }
      skipSpace()
      guard skip(":"), let value = value(depth: depth + 1) else { return nil }
      members[name] = value
      skipSpace()
    } while skip(",")
    return skip("}") ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> JSONValue? {
    position += 1
    var elements: [JSONValue] = []
    guard !closes(with: "]") else { return .array(elements) }
    repeat {
      guard let element = value(depth: depth + 1) else { return nil }
      elements.append(element)
      skipSpace()
    } while skip(",")
    return skip("]") ? .array(elements) : nil
  }

  // MARK: Numbers

  private mutating func number() -> JSONValue? {
    let start = position
    _ = skip("-")
    guard skip("0") || skipDigits() else { return nil }
    let integerEnd = position
    if skip(".") { guard skipDigits() else { return nil } }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      guard skipDigits() else { return nil }
    }
    let digits = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
    if position == integerEnd, let integer = Int64(digits) { return .integer(integer) }
    guard let number = Double(digits), number.isFinite else { return nil }
    return Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }

  private mutating func skipDigits() -> Bool {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }

  // MARK: Texts

  private mutating func text() -> String? {
    guard skip("\"") else { return nil }
    let start = position
    skipPlain()
    var allBits: UInt8 = 0
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return string(start..<(position - 1), isASCII: allBits < 0x80)
      case UInt8(ascii: "\\"): return escapedText(from: start)
      case 0..<0x20: return nil
      default:
        allBits |= byte
        position += 1
      }
    }
    return nil
  }

  /// Skips eight bytes at a time as long as they are ASCII and neither end a text nor need a closer look.
  private mutating func skipPlain() {
    let raw = UnsafeRawBufferPointer(bytes)
    while position + 8 <= bytes.count {
      let next = EightBytes(raw, at: position)
      guard !next.haveControl, !next.haveHighBit, !next.have(UInt8(ascii: "\"")),
        !next.have(UInt8(ascii: "\\"))
      else { return }
      position += 8
    }
  }

  private func string(_ range: Range<Int>, isASCII: Bool) -> String? {
    let characters = UnsafeBufferPointer(rebasing: bytes[range])
    // Validating takes many times as long, and ASCII is always valid.
    return isASCII
      ? String(decoding: characters, as: UTF8.self) : String(validating: characters, as: UTF8.self)
  }

  /// The text that begins at `start` and has an escape at the current position.
  private mutating func escapedText(from start: Int) -> String? {
    var text = Array(bytes[start..<position])
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let character = escape() else { return nil }
        text.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  /// What stands for the escape whose backslash was taken.
  private mutating func escape() -> Unicode.Scalar? {
    defer { position += 1 }
    switch current {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return codePoint()
    default: return nil
    }
  }

  /// The character of `uXXXX`, or of a pair of them; nil for half a pair. Leaves its last digit to be taken.
  private mutating func codePoint() -> Unicode.Scalar? {
    guard let unit = codeUnit() else { return nil }
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
    position += 1
    guard skip("\\"), current == UInt8(ascii: "u"), let second = codeUnit(), UTF16.isTrailSurrogate(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(second) & 0x3FF)
  }

  private mutating func codeUnit() -> UInt16? {
    guard position + 4 < bytes.count else { return nil }
    var unit: UInt16 = 0
    for _ in 0..<4 {
      position += 1
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  // MARK: Steps

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func closes(with bracket: StaticString) -> Bool {
    skipSpace()
    return skip(bracket)
  }

  private mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for index in 0..<count where bytes[position + index] != word.utf8Start[index] { return false }
    position += count
    return true
  }
}
