import Primitives

/// Why a store gave no answer. Nothing was changed.
package enum StoreError: Error, Sendable, Hashable {
  /// The store cannot be reached, read or written at present.
  case unavailable
  /// The user that the change is about does not exist (any more).
  case noSuchUser
}

/// Keeps users. An address, as typed and folded, belongs to one user at most: the store itself sees to it.
package protocol UserStore: Sendable {
  /// Adds `user`; false, and nothing added, when the address is taken as typed or folded (or the id is).
  func add(_ user: User) async throws(StoreError) -> Bool

  /// The user with that address as typed, else folded.
  func user(withEmail email: EmailAddress) async throws(StoreError) -> User?

  /// The user with that id.
  func user(_ id: UserID) async throws(StoreError) -> User?

  /// The user and their connection, read together.
  func profile(of id: UserID) async throws(StoreError) -> Profile?

  /// Replaces the password hash and ends every session issued before `sessionsValidFrom`. Fails with
  /// `StoreError.noSuchUser` when the user does not exist.
  func setPassword(_ hash: Secret, of id: UserID, sessionsValidFrom: Timestamp) async throws(StoreError)

  /// Up to `limit` users in the order of the store's own, from the one that comes after `last`, or from the
  /// first. Whoever is there all the while is listed once, however many others come and go.
  func users(after last: UserID?, limit: Int) async throws(StoreError) -> UserPage

  /// Removes the user and all that is kept for them, but owed revocations. False, and nothing removed,
  /// while there is a secret of the user's, readable or not: it must be let go of first. True when the user
  /// does not exist.
  func remove(_ id: UserID) async throws(StoreError) -> Bool
}

/// What `GET /v1/user/me` shows. An object, since it is handed on often: a copy of all that is in it would count
/// dozens of references each time.
package final class Profile: Sendable {
  /// The user.
  package let user: User
  /// Their connection; nil when they never connected, or disconnected.
  package let connection: GmailConnection?

  /// A profile.
  package init(user: User, connection: GmailConnection?) {
    self.user = user
    self.connection = connection
  }
}

/// A part of all users.
package struct UserPage: Sendable {
  /// The users; there may be none though more follow.
  package let users: [User]
  /// What the next page comes after; nil when this is the last.
  package let next: UserID?

  /// A page.
  package init(users: [User], next: UserID?) {
    self.users = users
    self.next = next
  }

  /// One that holds what `users` has up to `limit`, of a store that lists by id.
  package init(_ users: [User], limit: Int) {
    self.init(users: users, next: users.count < limit ? nil : users.last?.id)
  }
}
