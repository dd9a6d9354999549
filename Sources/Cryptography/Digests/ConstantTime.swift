import CLibcrypto

/// Comparisons whose duration tells nothing about the bytes.
package enum ConstantTime {
  /// Whether both hold the same bytes. Only their lengths can be learned from how long it takes.
  package static func equals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
