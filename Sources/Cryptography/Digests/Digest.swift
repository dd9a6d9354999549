import CLibcrypto

/// Digests of the SHA-2 family (FIPS 180-4).
package enum Digest {
  // Fetched once: a lookup by name costs more than hashing a short message.
  private static let sha256Algorithm = DigestAlgorithm("SHA256", length: 32)
  private static let sha512Algorithm = DigestAlgorithm("SHA512", length: 64)

  /// The 32 bytes of SHA-256 over `message`.
  package static func sha256(_ message: some Collection<UInt8>) -> [UInt8] { sha256Algorithm.digest(message) }

  /// The 64 bytes of SHA-512 over `message`.
  package static func sha512(_ message: some Collection<UInt8>) -> [UInt8] { sha512Algorithm.digest(message) }
}

/// One fetched digest algorithm. Unchecked: libcrypto never changes a fetched algorithm.
private final class DigestAlgorithm: @unchecked Sendable {
  private let algorithm: OpaquePointer
  private let length: Int

  init(_ name: String, length: Int) {
    guard let algorithm = EVP_MD_fetch(nil, name, nil) else { fatalError("libcrypto offers no \(name)") }
    self.algorithm = algorithm
    self.length = length
  }

  deinit { EVP_MD_free(algorithm) }

  func digest(_ message: some Collection<UInt8>) -> [UInt8] {
    let direct = message.withContiguousStorageIfAvailable { digest(UnsafeRawBufferPointer($0)) }
    return direct ?? Array(message).withUnsafeBytes(digest)
  }

  private func digest(_ message: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { output, count in
      let done = EVP_Digest(message.baseAddress, message.count, output.baseAddress, nil, algorithm, nil)
      precondition(done == 1, "libcrypto could not hash: out of memory")
      count = length
    }
  }
}
