import Primitives

/// Google's OAuth endpoints, as far as a backend that never exchanges a code needs them.
package protocol GoogleOAuth: Sendable {
  /// Whom and what an access token is for (`/tokeninfo`).
  func tokenInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> TokenInfo
  /// The account behind an access token (`/oauth2/v3/userinfo`).
  func userInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> UserInfo
  /// A fresh access token (RFC 6749 section 6): only `grant_type`, `refresh_token`, `client_id` are sent.
  func refresh(_ token: GoogleRefreshToken, clientID: GoogleClientID, timeout: Duration)
    async throws(GoogleError) -> TokenReply
  /// Kills the whole grant that a token belongs to (RFC 7009). A token that is dead already is no error.
  func revoke(_ token: Secret) async throws(GoogleError)
}

/// What `/tokeninfo` says of an access token.
package struct TokenInfo: Sendable {
  /// The client that the token was issued to.
  package let audience: GoogleClientID?
  /// The client that asked for it, where that is another.
  package let authorizedParty: GoogleClientID?
  /// The account; nil when no identity scope was granted.
  package let subject: GoogleSubject?
  /// The scopes.
  package let scopes: GrantedScopes
  /// Seconds left.
  package let expiresIn: Int64
  /// The account's address, when granted.
  package let email: String?

  /// An answer of `/tokeninfo`.
  package init(
    audience: GoogleClientID?, authorizedParty: GoogleClientID?, subject: GoogleSubject?,
    scopes: GrantedScopes,
    expiresIn: Int64, email: String?
  ) {
    self.audience = audience
    self.authorizedParty = authorizedParty
    self.subject = subject
    self.scopes = scopes
    self.expiresIn = expiresIn
    self.email = email
  }
}

/// What `/userinfo` says of an account.
package struct UserInfo: Sendable {
  /// The account.
  package let subject: GoogleSubject?
  /// Its address, when granted.
  package let email: String?
  /// Its name, when granted.
  package let name: String?
  /// Whether the address is verified; absent means not.
  package let emailVerified: Bool

  /// An answer of `/userinfo`.
  package init(subject: GoogleSubject?, email: String?, name: String?, emailVerified: Bool) {
    self.subject = subject
    self.email = email
    self.name = name
    self.emailVerified = emailVerified
  }
}

/// The token endpoint's answer to a refresh.
package struct TokenReply: Sendable {
  /// The fresh access token.
  package let accessToken: GoogleAccessToken
  /// Seconds that it is good for.
  package let expiresIn: Int64
  /// A refresh token that replaces the one used; usually absent.
  package let refreshToken: GoogleRefreshToken?
  /// The scopes, when said.
  package let scopes: GrantedScopes?
  /// The account and the audience of the `id_token`, when there is one.
  package let identity: IdentityClaims?
  /// Seconds until the grant itself ends, when it is limited in time.
  package let refreshTokenExpiresIn: Int64?

  /// An answer of the token endpoint.
  package init(
    accessToken: GoogleAccessToken, expiresIn: Int64, refreshToken: GoogleRefreshToken? = nil,
    scopes: GrantedScopes? = nil, identity: IdentityClaims? = nil, refreshTokenExpiresIn: Int64? = nil
  ) {
    self.accessToken = accessToken
    self.expiresIn = expiresIn
    self.refreshToken = refreshToken
    self.scopes = scopes
    self.identity = identity
    self.refreshTokenExpiresIn = refreshTokenExpiresIn
  }
}

/// What an ID token that came straight from Google says; its signature needs no check then
/// (OpenID Connect Core section 3.1.3.7, point 6).
package struct IdentityClaims: Sendable {
  /// The account.
  package let subject: GoogleSubject
  /// The clients that it is meant for.
  package let audience: [GoogleClientID]

  /// Claims.
  package init(subject: GoogleSubject, audience: [GoogleClientID]) {
    self.subject = subject
    self.audience = audience
  }
}

/// How a call to Google failed. Decided by status and the OAuth `error` field, never by a text.
package enum GoogleError: Error, Sendable, Hashable {
  /// The token is not valid (any more).
  case invalidToken
  /// The token is valid, but not for this.
  case insufficientScope
  /// The token endpoint refused with this OAuth error.
  case refused(OAuthErrorCode)
  /// No answer, a 429, a 5xx, or an answer that makes no sense: try later.
  case unavailable(retryAfter: Duration?)
}

/// The `error` field of an OAuth error (RFC 6749 section 5.2, and Google's own).
package enum OAuthErrorCode: Sendable, Hashable {
  /// The grant is dead; `rapt` says that a Workspace session rule is why.
  case invalidGrant(rapt: Bool)
  /// A Workspace admin does not allow this app.
  case adminPolicyEnforced
  /// The account or client is refused at present.
  case accessDenied
  /// The refresh token belongs to another client.
  case unauthorizedClient
  /// Our client ID is unknown, deleted or disabled, or the request itself is wrong: the operator's fault.
  case clientMisconfigured
}
