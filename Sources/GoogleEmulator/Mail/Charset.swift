/// Text encodings by their names in mail (WHATWG Encoding, of which the single-byte ones for Western Europe).
enum Charset {
  /// `bytes` as text. An unknown or missing name means UTF-8 when the bytes are that, else Windows-1252.
  static func decode(_ bytes: some Collection<UInt8>, named name: String?) -> String {
    switch name?.lowercased() {
    case "utf-8", "utf8": return String(decoding: bytes, as: UTF8.self)
    case "iso-8859-1", "latin1", "l1", "windows-1252", "cp1252": return western(bytes)
    case "iso-8859-15", "latin-9", "l9": return latin9(bytes)
    case "utf-16", "utf-16be": return utf16(bytes, bigEndian: true)
    case "utf-16le": return utf16(bytes, bigEndian: false)
    default: return String(validating: bytes, as: UTF8.self) ?? western(bytes)
    }
  }

  /// Windows-1252, which the web and mail readers also use for ISO-8859-1.
  private static func western(_ bytes: some Collection<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append(0x80...0x9F ~= byte ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return String(text)
  }

  private static func latin9(_ bytes: some Collection<UInt8>) -> String {
    let changed: [UInt8: Unicode.Scalar] = [
      0xA4: "€", 0xA6: "Š", 0xA8: "š", 0xB4: "Ž", 0xB8: "ž", 0xBC: "Œ", 0xBD: "œ", 0xBE: "Ÿ",
    ]
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(changed[byte] ?? Unicode.Scalar(byte)) }
    return String(text)
  }

  private static func utf16(_ bytes: some Collection<UInt8>, bigEndian: Bool) -> String {
    var units: [UInt16] = []
    var iterator = bytes.makeIterator()
    while let first = iterator.next(), let second = iterator.next() {
      units.append(bigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
    }
    switch units.first {
    case 0xFEFF: units.removeFirst()
    case 0xFFFE: units = units.dropFirst().map(\.byteSwapped)
    default: break
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
