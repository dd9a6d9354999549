/// Quoted-printable (RFC 2045 section 6.7) and its form in encoded words (RFC 2047 section 4.2).
enum QuotedPrintable {
  /// A body. Broken escapes stay as they are; white space before a line's end is dropped.
  static func decode(_ body: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(body.count)
    for line in MailLines(body) {
      var content = line.content
      while let last = content.last, last == 0x20 || last == 0x09 { content.removeLast() }
      let isSoft = content.last == UInt8(ascii: "=")
      appendDecoded(isSoft ? content.dropLast() : content, to: &output)
      if !isSoft { output.append(contentsOf: line.ending) }
    }
    return output
  }

  /// The text of a `Q` encoded word, where `_` is a space.
  static func decodeWord(_ text: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    appendDecoded(Array(text.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 })[...], to: &output)
    return output
  }

  private static func appendDecoded(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "="), index + 2 < text.endIndex, let high = nibble(text[index + 1]),
        let low = nibble(text[index + 2])
      {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(text[index])
        index += 1
      }
    }
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
