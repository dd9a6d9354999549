import Primitives

/// Checks an address and a password.
package struct LogIn: Sendable {
  /// Why nobody is signed in.
  package enum Refusal: Error, Sendable, Hashable {
    /// Nobody has that address.
    case unknownUser
    /// The password is another.
    case wrongPassword
    /// Too many wrong passwords; try again after that long.
    case tooManyAttempts(retryAfter: Duration)
    /// The store gave no answer.
    case store(StoreError)
  }

  private let users: any UserStore
  private let passwords: any PasswordHashing
  private let limits: PasswordLimits?
  private let time: TimeSource

  /// Signs in against `users`; `limits` nil lets anyone guess for ever (load tests).
  package init(
    users: any UserStore, passwords: any PasswordHashing, limits: PasswordLimits?, time: TimeSource
  ) {
    self.users = users
    self.passwords = passwords
    self.limits = limits
    self.time = time
  }

  /// The user whose password it is. `peer` is the client's network address, for the limits.
  package func callAsFunction(email: String, password: Secret, peer: String) async throws(Refusal) -> User {
    let address = EmailAddress(lookingUp: email)
    try checkLimits(address, peer: peer)
    let user = try await find(address)
    let isRight: Bool
    if let user {
      isRight = await passwords.verify(password, against: user.passwordHash)
    } else {
      await passwords.verifyAgainstNobody(password)
      isRight = false
    }
    // Checked again: guesses made side by side must not all learn their answer.
    if isRight { try checkLimits(address, peer: peer) } else { try countFailure(address, peer: peer) }
    guard let user else { throw .unknownUser }
    guard isRight else { throw .wrongPassword }
    return user
  }

  private func checkLimits(_ address: EmailAddress, peer: String) throws(Refusal) {
    guard let wait = limits?.wait(account: address.folded, peer: peer, at: time.now()) else { return }
    throw .tooManyAttempts(retryAfter: wait)
  }

  private func countFailure(_ address: EmailAddress, peer: String) throws(Refusal) {
    let wait = limits?.admitFailure(account: address.folded, peer: peer, at: time.now())
    if let wait { throw .tooManyAttempts(retryAfter: wait) }
  }

  private func find(_ address: EmailAddress) async throws(Refusal) -> User? {
    do throws(StoreError) {
      return try await users.user(withEmail: address)
    } catch { throw .store(error) }
  }
}
