import Domain
import Primitives
import Synchronization

/// Hashes that cost nothing, and counts of who asked.
package final class FakePasswords: PasswordHashing {
  private struct State {
    var hashed = 0
    var verified = 0
    var verifiedAgainstNobody = 0
    var fails = false
  }
  private let state = Mutex(State())
  private let gate: Gate?

  /// Passwords; verifying waits at `gate` when there is one.
  package init(gate: Gate? = nil) { self.gate = gate }

  /// How many passwords were hashed.
  package var hashed: Int { state.withLock { $0.hashed } }
  /// How many were compared with a user's hash.
  package var verified: Int { state.withLock { $0.verified } }
  /// How many were compared for nobody.
  package var verifiedAgainstNobody: Int { state.withLock { $0.verifiedAgainstNobody } }
  /// Whether hashing fails.
  package var fails: Bool {
    get { state.withLock { $0.fails } }
    set { state.withLock { $0.fails = newValue } }
  }

  package func hash(_ password: Secret) async throws(PasswordError) -> Secret {
    if password.expose().utf8.contains(0) { throw .containsNUL }
    if fails { throw .hashingFailed }
    state.withLock { $0.hashed += 1 }
    return Secret("hash of " + password.expose())
  }

  package func verify(_ password: Secret, against hash: Secret) async -> Bool {
    state.withLock { $0.verified += 1 }
    await gate?.pass()
    return hash == Secret("hash of " + password.expose())
  }

  package func verifyAgainstNobody(_ password: Secret) async {
    state.withLock { $0.verifiedAgainstNobody += 1 }
    await gate?.pass()
  }
}
