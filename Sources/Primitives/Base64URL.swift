/// Base64 with the URL- and file-name-safe alphabet and no padding (RFC 4648 section 5, RFC 7515 section 2).
public enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// `bytes` as base64url without padding.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count * 4 + 2) / 3)
    var bits: UInt32 = 0
    var held = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      held += 8
      while held >= 6 {
        held -= 6
        output.append(alphabet[Int(bits >> UInt32(held) & 63)])
      }
    }
    if held > 0 { output.append(alphabet[Int(bits << UInt32(6 - held) & 63)]) }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes behind `text`; nil unless it is canonical: no padding, no other character, no loose bits.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let characters = text.utf8
    guard characters.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(characters.count * 3 / 4)
    var bits: UInt32 = 0
    var held = 0
    for character in characters {
      guard let value = value(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    return bits & (1 << UInt32(held) - 1) == 0 ? output : nil
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
