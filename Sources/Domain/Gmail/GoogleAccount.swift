import Primitives

/// Google's name for one account, the `sub` of its tokens: an opaque text, stable for good, never an e-mail.
package typealias GoogleSubject = Identifier<GoogleAccount>

/// A Google account as Google describes it.
package struct GoogleAccount: Sendable, Hashable, Codable {
  /// The account's key (OpenID Connect Core section 2, `sub`); empty in secrets of the older backend.
  package let subject: GoogleSubject
  /// The account's address; empty when Google names none.
  package let email: String
  /// The person's name; empty when Google names none.
  package let name: String
  /// Whether Google says that the address is the person's.
  package let emailVerified: Bool

  /// An account.
  package init(subject: GoogleSubject, email: String, name: String, emailVerified: Bool) {
    self.subject = subject
    self.email = email
    self.name = name
    self.emailVerified = emailVerified
  }

  /// Whether anything says whose it is.
  package var isNamed: Bool { !subject.rawValue.isEmpty || !email.isEmpty }

  /// Whether both are one account: by `sub`; by folded e-mail where an old secret has no `sub`.
  package func isSame(as other: GoogleAccount) -> Bool {
    if !subject.rawValue.isEmpty, !other.subject.rawValue.isEmpty { return subject == other.subject }
    return !email.isEmpty && EmailAddress.fold(email) == EmailAddress.fold(other.email)
  }
}

/// A Google access token, `ya29.…`: lets its holder act as the user for about an hour.
package struct GoogleAccessToken: Sendable, Hashable {
  /// The token.
  package let secret: Secret
  /// Wraps the token.
  package init(_ secret: Secret) { self.secret = secret }
}

/// A Google refresh token, `1//…`: the standing key to the mailbox.
package struct GoogleRefreshToken: Sendable, Hashable {
  /// The token.
  package let secret: Secret
  /// Wraps the token.
  package init(_ secret: Secret) { self.secret = secret }
}

/// An OAuth client ID of ours at Google. It is public; no client secret exists.
package typealias GoogleClientID = Identifier<GoogleClient>
/// What a client ID names.
package enum GoogleClient {}

/// With which clients, at which Google, this installation works.
package struct GoogleConfiguration: Sendable {
  /// Our client IDs; the first one refreshes tokens whose client is not recorded.
  package let clientIDs: [GoogleClientID]
  /// Where Google is. Tokens of one place are never sent to another.
  package let baseURL: String

  /// A configuration.
  package init(clientIDs: [GoogleClientID], baseURL: String) {
    self.clientIDs = clientIDs
    self.baseURL = baseURL
  }
}
