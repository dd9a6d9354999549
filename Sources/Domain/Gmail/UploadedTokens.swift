import Primitives

/// What a device uploads, read and checked (DESIGN 3.1, rule 1). Google's word wins over all of it.
package struct UploadedTokens: Sendable {
  /// The access token; never empty.
  package let accessToken: GoogleAccessToken
  /// The refresh token; nil when none was supplied.
  package let refreshToken: GoogleRefreshToken?
  /// The scopes that the device names: they order the reply, and grant nothing.
  package let scopes: GrantedScopes

  /// Uploaded tokens.
  package init(accessToken: GoogleAccessToken, refreshToken: GoogleRefreshToken?, scopes: GrantedScopes) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.scopes = scopes
  }

  /// The same upload with the refresh token that Google put in its own's place.
  func replacingRefreshToken(with token: GoogleRefreshToken?) -> UploadedTokens {
    UploadedTokens(accessToken: accessToken, refreshToken: token, scopes: scopes)
  }

  /// The seconds that an access token lives when an upload does not say.
  package static let defaultLifetime: Int64 = 3600
  /// The lifetimes that an upload may name, in seconds.
  package static let lifetimes: ClosedRange<Int64> = 1...86_400
}

/// Why an upload is refused; nothing is stored then.
package enum ConnectRefusal: Error, Sendable, Hashable {
  /// Google does not know the access token, or it has ended.
  case accessTokenInvalid
  /// The token was issued to somebody else's client.
  case wrongAudience
  /// Google names no account for it.
  case identityScopeMissing
  /// No scope of it can read mail.
  case gmailScopeMissing
  /// Google does not honour the refresh token.
  case refreshTokenInvalid
  /// The refresh token belongs to another client.
  case refreshTokenWrongClient
  /// The two tokens are of different Google accounts.
  case accountMismatch
  /// A Workspace admin or a policy refuses.
  case blockedByAdmin
  /// Our own client ID is wrong at Google: the operator's fault.
  case googleClientMisconfigured
  /// This installation has no client ID.
  case notConfigured
  /// Google cannot be asked at present.
  case googleUnavailable(retryAfter: Duration)
  /// The store gave no answer; what it holds is as it was.
  case store(StoreError)
}
