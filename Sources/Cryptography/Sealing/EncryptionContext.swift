/// What a sealed value belongs to: names and values, in order, that are not stored with it but must be the
/// same when it is opened.
package struct EncryptionContext: Sendable, ExpressibleByDictionaryLiteral {
  /// The bytes that are authenticated. Every part is preceded by its length, so that no two contexts share
  /// them.
  let encoded: [UInt8]

  /// The given pairs in their order.
  package init(dictionaryLiteral elements: (String, String)...) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.reduce(4) { $0 + 8 + $1.0.utf8.count + $1.1.utf8.count })
    Self.append(elements.count, to: &bytes)
    for (name, value) in elements {
      Self.append(name, to: &bytes)
      Self.append(value, to: &bytes)
    }
    encoded = bytes
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    append(text.utf8.count, to: &bytes)
    bytes.append(contentsOf: text.utf8)
  }

  /// Four bytes, the highest first.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(number).bigEndian) { bytes.append(contentsOf: $0) }
  }
}
