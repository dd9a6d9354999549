/// Why a password cannot be hashed.
package enum PasswordError: Error, Sendable, Hashable {
  /// The password holds a NUL, at which bcrypt would end it.
  case containsNUL
  /// libxcrypt refused; in practice it had no memory or no entropy.
  case hashingFailed
}
