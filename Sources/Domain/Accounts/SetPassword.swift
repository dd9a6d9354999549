import Primitives

/// Gives an account a new password and ends its sessions.
package struct SetPassword: Sendable {
  /// Why the password is still the old one.
  package enum Refusal: Error, Sendable, Hashable {
    /// Nobody has that address.
    case unknownUser
    /// The password is not 8 to 72 bytes long, or holds a NUL.
    case invalidPassword
    /// The password could not be hashed, or the store gave no answer.
    case failed
  }

  private let users: any UserStore
  private let passwords: any PasswordHashing
  private let time: TimeSource

  /// Changes passwords in `users`.
  package init(users: any UserStore, passwords: any PasswordHashing, time: TimeSource) {
    self.users = users
    self.passwords = passwords
    self.time = time
  }

  /// Every session begun before now has ended when this returns.
  package func callAsFunction(_ password: Secret, email: String) async throws(Refusal) {
    guard SignUp.passwordLength.contains(password.expose().utf8.count) else { throw .invalidPassword }
    do {
      guard let user = try await users.user(withEmail: EmailAddress(lookingUp: email)) else {
        throw Refusal.unknownUser
      }
      let hash = try await passwords.hash(password)
      // A JWT says when it was issued in whole seconds: the next second is the first that is surely later.
      let validFrom = Timestamp(seconds: time.now().seconds + 1)
      try await users.setPassword(hash, of: user.id, sessionsValidFrom: validFrom)
    } catch Refusal.unknownUser {
      throw .unknownUser
    } catch StoreError.noSuchUser {
      throw .unknownUser
    } catch PasswordError.containsNUL {
      throw .invalidPassword
    } catch {
      throw .failed
    }
  }
}
