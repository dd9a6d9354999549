import Primitives

/// Names one PayPulse user: `user_` and a lower-case UUID.
package typealias UserID = Identifier<User>

/// A person with a PayPulse account.
package struct User: Sendable, Hashable {
  /// Names the user for good.
  package let id: UserID
  /// The address as it was typed at sign-up.
  package let email: String
  /// What the user wants to be called.
  package let name: String
  /// The bcrypt hash of the password, `$2b$…`.
  package let passwordHash: Secret
  /// When the account was made.
  package let createdAt: Timestamp
  /// Sessions issued before this moment have ended (the password was changed); nil when none has.
  package let sessionsValidFrom: Timestamp?

  /// A user as the store has it.
  package init(
    id: UserID, email: String, name: String, passwordHash: Secret, createdAt: Timestamp,
    sessionsValidFrom: Timestamp? = nil
  ) {
    self.id = id
    self.email = email
    self.name = name
    self.passwordHash = passwordHash
    self.createdAt = createdAt
    self.sessionsValidFrom = sessionsValidFrom
  }

  /// Whether a session issued at `issuedAt` still counts.
  package func accepts(sessionIssuedAt issuedAt: Timestamp) -> Bool {
    guard let sessionsValidFrom else { return true }
    return issuedAt >= sessionsValidFrom
  }

  /// When a session that begins now has to say it was issued: a JWT counts whole seconds, so one that
  /// begins in the second of a password change would else look as old as those the change ended.
  package func sessionStart(at now: Timestamp) -> Timestamp { max(now, sessionsValidFrom ?? now) }
}
