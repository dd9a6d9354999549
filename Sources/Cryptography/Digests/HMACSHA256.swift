import CLibcrypto

/// HMAC with SHA-256 under one key (RFC 2104, FIPS 198-1). The key is hashed once; any number of tasks
/// may authenticate at the same time.
package struct HMACSHA256: Sendable {
  private let template: KeyedTemplate

  /// Keys the function with `key`, of any length but zero.
  package init(key: [UInt8]) { template = KeyedTemplate(key: key) }

  /// The 32 bytes that authenticate `message`.
  package func authenticate(_ message: [UInt8]) -> [UInt8] { message.withUnsafeBytes(authenticate) }

  /// Whether `tag` is the one that authenticates `message`, compared in constant time.
  package func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool {
    ConstantTime.equals(tag, authenticate(message))
  }

  /// The 32 bytes that authenticate `message`, which is read in place.
  func authenticate(_ message: UnsafeRawBufferPointer) -> [UInt8] { template.authenticate(message) }
}

/// A keyed context that each call duplicates. Unchecked: duplicating only reads it.
private final class KeyedTemplate: @unchecked Sendable {
  private static let length = 32
  private let context: OpaquePointer

  init(key: [UInt8]) {
    precondition(!key.isEmpty, "an HMAC key must not be empty")
    // The context holds a reference to the algorithm, which therefore need not be kept.
    let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
    defer { EVP_MAC_free(algorithm) }
    guard let context = EVP_MAC_CTX_new(algorithm), libcrypto_hmac_sha256_init(context, key, key.count) == 1
    else { fatalError("libcrypto offers no HMAC with SHA-256") }
    self.context = context
  }

  deinit { EVP_MAC_CTX_free(context) }

  func authenticate(_ message: UnsafeRawBufferPointer) -> [UInt8] {
    let copy = EVP_MAC_CTX_dup(context)
    defer { EVP_MAC_CTX_free(copy) }
    return [UInt8](unsafeUninitializedCapacity: Self.length) { output, count in
      let bytes = message.assumingMemoryBound(to: UInt8.self).baseAddress
      let done =
        copy != nil && EVP_MAC_update(copy, bytes, message.count) == 1
        && EVP_MAC_final(copy, output.baseAddress, &count, Self.length) == 1 && count == Self.length
      precondition(done, "libcrypto could not authenticate: out of memory")
    }
  }
}
