import Primitives

/// What a session token says about its bearer.
package struct SessionClaims: Sendable, Hashable {
  /// The user's identifier, never empty.
  package let userID: String
  /// The user's e-mail when the token was issued; empty when the token names none.
  package let email: String
  /// When the token was issued, to the second.
  package let issuedAt: Timestamp
  /// From this moment on the token is not accepted.
  package let expiresAt: Timestamp

  /// The given claims.
  package init(userID: String, email: String, issuedAt: Timestamp, expiresAt: Timestamp) {
    self.userID = userID
    self.email = email
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }
}

/// Why a session token is not accepted.
package enum SessionTokenError: Error, Sendable, Hashable {
  /// No valid token of ours: its structure, algorithm, signature or one of its claims is wrong.
  case malformed
  /// A token of ours whose time is over.
  case expired
}
