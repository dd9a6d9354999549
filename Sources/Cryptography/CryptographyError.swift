import CLibcrypto

/// Why a cryptographic operation could not be done. Holds nothing of the key or the message.
package enum CryptographyError: Error, Sendable, Hashable {
  /// libcrypto refused `operation`; in practice it had no memory or no entropy.
  case libraryFailure(operation: String)

  /// The failure of `operation`.
  ///
  /// Empties this thread's error queue too: what stays there would be taken for a TLS failure by the
  /// next `SSL_get_error` on this thread.
  static func failed(_ operation: StaticString) -> CryptographyError {
    ERR_clear_error()
    return .libraryFailure(operation: "\(operation)")
  }
}
