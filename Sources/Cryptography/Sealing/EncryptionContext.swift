/// What a sealed value belongs to: names and values, in order, that are not stored with it but must be the
/// same when it is opened.
package struct EncryptionContext: Sendable, ExpressibleByDictionaryLiteral {
  /// The bytes that are authenticated. Every part is preceded by its length, so that no two contexts share
  /// them.
  let encoded: [UInt8]

  /// The given pairs in their order.
  package init(dictionaryLiteral elements: (String, String)...) {
    var bytes = Self.bigEndian(elements.count)
    for text in elements.flatMap({ [$0.0, $0.1] }) {
      bytes += Self.bigEndian(text.utf8.count)
      bytes += text.utf8
    }
    encoded = bytes
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
