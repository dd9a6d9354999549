/// The layout of a sealed value:
///
/// | bytes | what |
/// |---|---|
/// | 1 | format version, 1 |
/// | 8 | identifier of the wrapping key |
/// | 12 | nonce of the wrapped data key |
/// | 48 | data key under the wrapping key, with its tag |
/// | 12 | nonce of the content |
/// | n + 16 | content under the data key, with its tag |
enum Envelope {
  static let version: UInt8 = 1
  static let keyID = 1..<1 + WrappingKeyID.length
  /// What is filled with unpredictable bytes at first: from the first nonce to the end of the second.
  static let drawn = Part.dataKey.nonce.lowerBound..<Part.content.nonce.upperBound
  /// Where the data key stands in them, until it is wrapped in the same place.
  static let dataKey = Part.dataKey.nonce.upperBound..<Part.dataKey.nonce.upperBound + KeyMaterial.length
  /// How much longer a sealed value is than its content.
  static let overhead = Part.content.start + AES256GCM.nonceLength + AES256GCM.tagLength

  /// The two parts that are encrypted, each behind its nonce.
  enum Part: UInt8 {
    case dataKey = 1
    case content = 2

    /// Where the part's nonce begins.
    var start: Int {
      switch self {
      case .dataKey: keyID.upperBound
      case .content: Part.dataKey.ciphertext(ofPlaintext: KeyMaterial.length).upperBound
      }
    }

    var nonce: Range<Int> { start..<start + AES256GCM.nonceLength }

    /// Where the ciphertext of so many bytes lies, with its tag.
    func ciphertext(ofPlaintext length: Int) -> Range<Int> {
      nonce.upperBound..<nonce.upperBound + length + AES256GCM.tagLength
    }

    /// What is authenticated with the part: which part it is, the version, the wrapping key, the context.
    func authenticated(_ id: WrappingKeyID, _ context: EncryptionContext) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(2 + id.bytes.count + context.encoded.count)
      bytes.append(rawValue)
      bytes.append(version)
      bytes.append(contentsOf: id.bytes)
      bytes.append(contentsOf: context.encoded)
      return bytes
    }
  }
}
