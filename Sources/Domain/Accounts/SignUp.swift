import Primitives

/// Makes a new account.
package struct SignUp: Sendable {
  /// Why there is no new account.
  package enum Refusal: Error, Sendable, Hashable {
    /// The address is none.
    case invalidEmail
    /// The name is empty, too long or holds control characters.
    case invalidName
    /// The password is not 8 to 72 bytes long, or holds a NUL.
    case invalidPassword
    /// Someone has that address already; it is given as typed.
    case emailTaken(String)
    /// The store gave no answer.
    case store(StoreError)
    /// The password could not be hashed.
    case hashingFailed
  }

  /// A password's length in bytes. bcrypt reads no more than 72.
  package static let passwordLength = 8...72
  private static let longestName = 200

  private let users: any UserStore
  private let passwords: any PasswordHashing
  private let time: TimeSource
  private let random: RandomSource

  /// Signs up into `users`.
  package init(users: any UserStore, passwords: any PasswordHashing, time: TimeSource, random: RandomSource) {
    self.users = users
    self.passwords = passwords
    self.time = time
    self.random = random
  }

  /// The new user.
  package func callAsFunction(email: String, name: String, password: Secret) async throws(Refusal) -> User {
    guard let address = EmailAddress(new: email) else { throw .invalidEmail }
    guard Self.isName(name) else { throw .invalidName }
    guard Self.passwordLength.contains(password.expose().utf8.count) else { throw .invalidPassword }
    // Asked before hashing too: a taken address need not cost a quarter of a second.
    guard try await isFree(address) else { throw .emailTaken(address.typed) }
    let user = User(
      id: UserID("user_" + random.uuid()), email: address.typed, name: name,
      passwordHash: try await hash(password), createdAt: time.now())
    guard try await add(user) else { throw .emailTaken(address.typed) }
    return user
  }

  private func isFree(_ address: EmailAddress) async throws(Refusal) -> Bool {
    do throws(StoreError) {
      return try await users.user(withEmail: address) == nil
    } catch { throw .store(error) }
  }

  private func add(_ user: User) async throws(Refusal) -> Bool {
    do throws(StoreError) {
      return try await users.add(user)
    } catch { throw .store(error) }
  }

  private func hash(_ password: Secret) async throws(Refusal) -> Secret {
    do throws(PasswordError) {
      return try await passwords.hash(password)
    } catch {
      throw error == .containsNUL ? .invalidPassword : .hashingFailed
    }
  }

  private static func isName(_ name: String) -> Bool {
    name.contains { !$0.isWhitespace } && name.utf8.count <= longestName
      && !name.unicodeScalars.contains(where: \.isControl)
  }
}
