import Cryptography
import Domain
import Primitives

/// The domain's password hashing over the bcrypt pool of `Cryptography`.
package struct BcryptPasswords: PasswordHashing {
  private let hasher: PasswordHasher

  /// Hashes with `hasher`.
  package init(_ hasher: PasswordHasher) { self.hasher = hasher }

  /// A new `$2b$` hash.
  package func hash(_ password: Secret) async throws(Domain.PasswordError) -> Secret {
    do throws(Cryptography.PasswordError) {
      return Secret(try await hasher.hash(password))
    } catch {
      throw error == .containsNUL ? .containsNUL : .hashingFailed
    }
  }

  /// Whether the hash is of the password.
  package func verify(_ password: Secret, against hash: Secret) async -> Bool {
    await hasher.verify(password, against: hash.expose())
  }

  /// Takes as long as a `verify` that fails.
  package func verifyAgainstNobody(_ password: Secret) async { await hasher.verifyAgainstNobody(password) }
}
