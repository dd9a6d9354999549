/// Base64 with the URL- and file-name-safe alphabet and no padding (RFC 4648 section 5, RFC 7515 section 2).
public enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let invalid: UInt8 = 0xFF

  /// The value of each character; ``invalid`` for those that are not of the alphabet.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: invalid, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()

  /// `bytes` as base64url without padding.
  public static func encode(_ bytes: [UInt8]) -> String {
    let count = (bytes.count * 4 + 2) / 3
    return String(unsafeUninitializedCapacity: count) { output in
      var bits: UInt32 = 0
      var held = 0
      var end = 0
      func append(_ sextet: UInt32) {
        output[end] = alphabet[Int(sextet & 63)]
        end += 1
      }
      for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        held += 8
        while held >= 6 {
          held -= 6
          append(bits >> UInt32(held))
        }
      }
      if held > 0 { append(bits << UInt32(6 - held)) }
      return end
    }
  }

  /// The bytes behind `text`; nil unless it is canonical: no padding, no other character, no loose bits.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var copy = String(text)
    return copy.withUTF8 { decode($0[...]) }
  }

  /// The same from bytes: each request with a session token pays for this, so it goes by a table.
  public static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var isCanonical = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { output, count in
      isCanonical = values.withUnsafeBufferPointer { decode(text, by: $0, into: output, &count) }
    }
    return isCanonical ? bytes : nil
  }

  private static func decode(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, by values: UnsafeBufferPointer<UInt8>,
    into output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
  ) -> Bool {
    var start = text.startIndex
    while start + 4 <= text.endIndex {
      let (a, b) = (values[Int(text[start])], values[Int(text[start + 1])])
      let (c, d) = (values[Int(text[start + 2])], values[Int(text[start + 3])])
      // Values are below 64, so only the mark of an invalid one has the highest bit.
      guard (a | b | c | d) & 0x80 == 0 else { return false }
      output[count] = a << 2 | b >> 4
      output[count + 1] = b << 4 | c >> 2
      output[count + 2] = c << 6 | d
      count += 3
      start += 4
    }
    return decodeEnd(text[start...], by: values, into: output, &count)
  }

  /// The last characters, which are fewer than four.
  private static func decodeEnd(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, by values: UnsafeBufferPointer<UInt8>,
    into output: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
  ) -> Bool {
    var bits: UInt32 = 0
    var held: UInt32 = 0
    for character in text {
      let value = values[Int(character)]
      guard value != invalid else { return false }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        output[count] = UInt8(truncatingIfNeeded: bits >> held)
        count += 1
      }
    }
    return bits & (1 << held - 1) == 0
  }
}
