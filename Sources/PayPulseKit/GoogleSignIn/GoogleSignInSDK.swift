import Primitives

/// What ``SDKAuthorizer`` uses of Google's own Sign-In SDK (GoogleSignIn-iOS 9): an adapter in the app only
/// translates types. There is no `disconnect` here, since that revokes the grant that the server reads mail with.
public protocol GoogleSignInSDK: Sendable {
  /// Who is signed in in this process; nil after a start, until something restored or signed in.
  func currentUser() async -> GoogleSignInUser?
  /// Opens Google's page: `signIn(withPresenting:hint:additionalScopes:)`. The SDK adds `email` and `profile` itself.
  func signIn(
    hint: String?, additionalScopes: [String]
  ) async throws(GoogleSignInFailure) -> GoogleSignInUser
  /// Asks the current user for more: `addScopes(_:presenting:)`.
  func addScopes(_ scopes: [String]) async throws(GoogleSignInFailure) -> GoogleSignInUser
  /// Reads who signed in before from the SDK's Keychain item: `restorePreviousSignIn()`.
  func restorePreviousSignIn() async throws(GoogleSignInFailure) -> GoogleSignInUser
  /// The current user with tokens that are good for a minute at least: `refreshTokensIfNeeded()`.
  func refreshTokensIfNeeded() async throws(GoogleSignInFailure) -> GoogleSignInUser
  /// Forgets who is signed in on this device: `signOut()`. Revokes nothing.
  func signOut() async
}

/// Who is signed in at Google, as the SDK's `GIDGoogleUser` says it.
public struct GoogleSignInUser: Sendable, Hashable {
  /// The stable id (`sub`), from the ID token.
  public var userID: String?
  /// The address, from the profile.
  public var email: String?
  /// The access token.
  public var accessToken: Secret
  /// When the access token ends; nil where Google's answer did not say so in a way the SDK reads.
  public var accessTokenExpiresAt: Timestamp?
  /// The refresh token.
  public var refreshToken: Secret?
  /// What the last answer granted.
  public var grantedScopes: [String]?
  /// The client that the tokens were made for.
  public var clientID: String

  /// A user with their tokens.
  public init(
    userID: String?, email: String?, accessToken: Secret, accessTokenExpiresAt: Timestamp?,
    refreshToken: Secret?, grantedScopes: [String]?, clientID: String
  ) {
    self.userID = userID
    self.email = email
    self.accessToken = accessToken
    self.accessTokenExpiresAt = accessTokenExpiresAt
    self.refreshToken = refreshToken
    self.grantedScopes = grantedScopes
    self.clientID = clientID
  }

  /// Whether this is the account that `hint` names, by address or `sub`.
  func isAccount(_ hint: String) -> Bool { userID == hint || email?.lowercased() == hint.lowercased() }

  /// The grant, obtained at `now`. A lifetime that the SDK could not read counts as an hour, as in an answer of
  /// Google's without one: the server learns the true one from Google.
  func grant(at now: Timestamp, endpoints: GoogleEndpoints) -> GoogleGrant {
    GoogleGrant(
      accessToken: accessToken, refreshToken: refreshToken, obtainedAt: now,
      expiresAt: accessTokenExpiresAt ?? now + .seconds(3600), grantedScopes: grantedScopes, email: email,
      subject: userID, clientID: clientID, endpoints: endpoints)
  }
}
