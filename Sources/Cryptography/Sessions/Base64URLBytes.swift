/// Base64url without padding (RFC 7515 section 2), read from bytes by a table. Each request with a session
/// token pays for this, and the general decoder for texts takes several times as long.
enum Base64URLBytes {
  private static let invalid: UInt8 = 0xFF

  /// The value of each character; ``invalid`` for those that are not of the alphabet.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: invalid, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (value, character) in alphabet.utf8.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()

  /// The bytes behind `text`; nil unless it is canonical: no padding, no other character, no loose bits.
  static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
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
