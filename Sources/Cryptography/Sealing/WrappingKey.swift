import Primitives

/// Names a wrapping key without telling it: the first 8 bytes of SHA-256 over a label and the key.
package struct WrappingKeyID: Sendable, Hashable, CustomStringConvertible {
  static let length = 8
  let bytes: [UInt8]

  init(bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

  /// Sixteen hexadecimal digits.
  package var description: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

/// A 256-bit key that wraps data keys.
///
/// Each seal takes a random 96-bit nonce under it: fit for 2^32 seals (NIST SP 800-38D section 8.3).
package struct WrappingKey: Sendable {
  /// Names the key in what was sealed under it.
  package let id: WrappingKeyID
  let material: KeyMaterial

  /// The key of these bytes; nil unless there are 32.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == KeyMaterial.length else { return nil }
    let labelled = Array("paypulse wrapping key".utf8) + bytes
    id = WrappingKeyID(bytes: Digest.sha256(labelled).prefix(WrappingKeyID.length))
    material = KeyMaterial { $0.copyBytes(from: bytes) }
  }

  /// The key written as hexadecimal, base64 or base64url (RFC 4648), with or without padding; nil when it
  /// is none of them.
  init?(encoded text: Substring) {
    let isHexadecimal = text.utf8.count == 2 * KeyMaterial.length && text.allSatisfy(\.isHexDigit)
    guard let bytes = isHexadecimal ? Self.decode(hexadecimal: text) : Self.decode(base64: text) else {
      return nil
    }
    self.init(bytes)
  }

  private static func decode(hexadecimal text: Substring) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == 2 * KeyMaterial.length else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func decode(base64 text: Substring) -> [UInt8]? {
    let unpadded = text.utf8.last == UInt8(ascii: "=") ? text.dropLast() : text
    return Base64URL.decode(String(unpadded.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
  }
}
