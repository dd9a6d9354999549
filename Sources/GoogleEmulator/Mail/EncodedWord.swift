/// Encoded words in header values (RFC 2047): `=?charset?B|Q?text?=`.
enum EncodedWord {
  private struct Word {
    let charset: String
    let bytes: [UInt8]
    let end: String.Index
  }

  /// `text` with its encoded words decoded. White space between two of them goes away, and neighbours of one
  /// charset are joined before they are decoded, since senders cut characters in half.
  static func decode(_ text: String) -> String {
    guard text.contains("=?") else { return text }
    var output = ""
    var pending: (charset: String, bytes: [UInt8])?
    var gap = ""
    var place = text.startIndex
    while place < text.endIndex {
      if let word = word(in: text, at: place) {
        if let held = pending, held.charset == word.charset {
          pending = (held.charset, held.bytes + word.bytes)
        } else {
          flush(&pending, to: &output)
          pending = (word.charset, word.bytes)
        }
        gap = ""
        place = word.end
      } else if pending != nil, text[place].isWhitespace {
        gap.append(text[place])
        place = text.index(after: place)
      } else {
        flush(&pending, to: &output)
        output += gap
        gap = ""
        output.append(text[place])
        place = text.index(after: place)
      }
    }
    flush(&pending, to: &output)
    return output + gap
  }

  private static func flush(_ pending: inout (charset: String, bytes: [UInt8])?, to output: inout String) {
    if let held = pending { output += Charset.decode(held.bytes, named: held.charset) }
    pending = nil
  }

  private static func word(in text: String, at start: String.Index) -> Word? {
    guard text[start...].hasPrefix("=?") else { return nil }
    let parts = text[start...].dropFirst(2).split(
      separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[0].isEmpty, parts[1].count == 1, parts[3].first == "=",
      !parts[2].contains(where: { $0 == "\n" })
    else { return nil }
    let bytes: [UInt8]
    switch parts[1].lowercased() {
    case "b": bytes = LenientBase64.decode(parts[2].utf8) ?? []
    case "q": bytes = QuotedPrintable.decodeWord(parts[2].utf8)
    default: return nil
    }
    // RFC 2231 section 5: a language may follow the charset.
    let charset = parts[0].prefix { $0 != "*" }.lowercased()
    return Word(charset: charset, bytes: bytes, end: text.index(after: parts[3].startIndex))
  }
}
