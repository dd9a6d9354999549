import Primitives

/// Base64 as mail and hand-made requests hold it: either alphabet, line breaks, padding or none.
enum LenientBase64 {
  /// The bytes behind `text`. Other characters are passed over (RFC 2045 section 6.8), and each `=` ends a
  /// group, so that concatenated texts decode too. Nil when not a single character belongs to an alphabet
  /// although the text is not empty.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    var bits: UInt32 = 0
    var held = 0
    var isEmpty = true
    var foundAny = false
    for character in text {
      isEmpty = false
      if character == UInt8(ascii: "=") { held = 0 }
      guard let value = sextet(character) else { continue }
      foundAny = true
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    return foundAny || isEmpty ? output : nil
  }

  private static func sextet(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
    case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension Base64URL {
  /// `bytes` as base64url with padding, as the Gmail API writes it.
  static func encodePadded(_ bytes: [UInt8]) -> String {
    let text = encode(bytes)
    return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  }
}
