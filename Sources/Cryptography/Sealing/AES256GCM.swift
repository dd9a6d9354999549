import CLibcrypto

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) with nonces of 96 bits and tags of 128.
///
/// Unchecked: libcrypto never changes a fetched algorithm.
final class AES256GCM: @unchecked Sendable {
  static let nonceLength = 12
  static let tagLength = 16
  private let algorithm: OpaquePointer

  init() {
    guard let algorithm = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    else { fatalError("libcrypto offers no AES-256-GCM") }
    self.algorithm = algorithm
  }

  deinit { EVP_CIPHER_free(algorithm) }

  /// Writes the ciphertext of `plaintext` and, after it, the tag over it and `authenticated`. False when
  /// libcrypto fails.
  func encrypt(
    _ plaintext: UnsafeRawBufferPointer, key: KeyMaterial, nonce: UnsafeRawBufferPointer,
    authenticated: [UInt8],
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    precondition(nonce.count == Self.nonceLength && output.count == plaintext.count + Self.tagLength)
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    let tag = output.baseAddress?.assumingMemoryBound(to: UInt8.self).advanced(by: plaintext.count)
    var length: Int32 = 0
    return context != nil
      && key.withBytes { EVP_EncryptInit_ex2(context, algorithm, $0.octets, nonce.octets, nil) == 1 }
      && EVP_EncryptUpdate(context, nil, &length, authenticated, Int32(authenticated.count)) == 1
      && (plaintext.isEmpty
        || EVP_EncryptUpdate(context, output.octets, &length, plaintext.octets, Int32(plaintext.count)) == 1)
      && EVP_EncryptFinal_ex(context, tag, &length) == 1
      && libcrypto_aead_get_tag(context, Int32(Self.tagLength), tag) == 1
  }

  /// Writes the plaintext of `sealed`, a ciphertext and its tag, and tells whether the tag is right. What
  /// was written before a wrong tag was found is overwritten.
  func decrypt(
    _ sealed: UnsafeRawBufferPointer, key: KeyMaterial, nonce: UnsafeRawBufferPointer, authenticated: [UInt8],
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    precondition(nonce.count == Self.nonceLength && sealed.count == output.count + Self.tagLength)
    // Memory that ran out must not look like a wrong tag: a value that does not open is put aside.
    guard let context = EVP_CIPHER_CTX_new(),
      key.withBytes({ EVP_DecryptInit_ex2(context, algorithm, $0.octets, nonce.octets, nil) == 1 })
    else { fatalError("libcrypto could not start AES-256-GCM: out of memory") }
    defer { EVP_CIPHER_CTX_free(context) }
    let tag = UnsafeMutablePointer(mutating: sealed.octets?.advanced(by: output.count))
    var length: Int32 = 0
    let done =
      EVP_DecryptUpdate(context, nil, &length, authenticated, Int32(authenticated.count)) == 1
      && (output.isEmpty
        || EVP_DecryptUpdate(context, output.octets, &length, sealed.octets, Int32(output.count)) == 1)
      && libcrypto_aead_set_tag(context, Int32(Self.tagLength), tag) == 1
      && EVP_DecryptFinal_ex(context, tag, &length) == 1
    if !done {
      OPENSSL_cleanse(output.baseAddress, output.count)
      ERR_clear_error()
    }
    return done
  }
}

extension UnsafeRawBufferPointer {
  /// The first of the bytes; nil when there is none.
  fileprivate var octets: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  /// The first of the bytes; nil when there is none.
  fileprivate var octets: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
