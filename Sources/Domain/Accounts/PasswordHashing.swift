import Primitives

/// Hashes passwords slowly, away from the threads that answer requests.
package protocol PasswordHashing: Sendable {
  /// A new bcrypt hash of `password`.
  func hash(_ password: Secret) async throws(PasswordError) -> Secret
  /// Whether `hash` is of `password`. Only the first 72 bytes count, as in bcrypt.
  func verify(_ password: Secret, against hash: Secret) async -> Bool
  /// Takes as long as a `verify` that fails, so that time does not tell whether an account exists.
  func verifyAgainstNobody(_ password: Secret) async
}

/// Why a password was not hashed.
package enum PasswordError: Error, Sendable, Hashable {
  /// It holds a NUL byte, at which bcrypt would stop reading.
  case containsNUL
  /// The hash could not be computed.
  case hashingFailed
}
