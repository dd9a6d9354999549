import Glibc
import Primitives

/// Hashes passwords with bcrypt, on threads of its own.
///
/// A password counts up to its 72nd byte, as with any bcrypt. One with a NUL in it, which would count up to
/// there, is never hashed and never matches.
package struct PasswordHasher: Sendable {
  private let cost: Int
  private let workers: PasswordWorkers
  /// A hash of the same cost that no password has.
  let nobody: String

  /// Hashes with 2^`cost` rounds (4 to 31), on so many threads; by default one for each processor.
  package init(cost: Int = 12, threads: Int? = nil) throws(PasswordError) {
    precondition((4...31).contains(cost), "a bcrypt cost is from 4 to 31")
    guard let setting = Bcrypt.setting(cost: cost) else { throw .hashingFailed }
    self.cost = cost
    nobody = setting + String(repeating: ".", count: Bcrypt.hashLength - setting.utf8.count)
    workers = PasswordWorkers(count: threads ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  /// A new hash of `password`, `$2b$`, under a random salt.
  package func hash(_ password: Secret) async throws(PasswordError) -> String {
    let bytes = Array(password.expose().utf8)
    guard !bytes.contains(0) else { throw .containsNUL }
    let hash = await workers.run { [cost] bcrypt in
      Bcrypt.setting(cost: cost).flatMap { bcrypt.hash(bytes, setting: $0) }
    }
    guard let hash, hash.count == Bcrypt.hashLength else { throw .hashingFailed }
    return String(decoding: hash, as: UTF8.self)
  }

  /// Whether `hash` (`$2b$`, `$2a$` or `$2y$`) is one of `password`.
  package func verify(_ password: Secret, against hash: String) async -> Bool {
    let bytes = Array(password.expose().utf8)
    return await workers.run { bcrypt in
      // Computed even when it cannot match, so that each answer takes the same time.
      guard let computed = bcrypt.hash(bytes, setting: hash) else { return false }
      return ConstantTime.equals(computed, Array(hash.utf8)) && !bytes.contains(0)
    }
  }

  /// Takes as long as verifying a wrong password: for a user who does not exist.
  package func verifyAgainstNobody(_ password: Secret) async { _ = await verify(password, against: nobody) }
}
