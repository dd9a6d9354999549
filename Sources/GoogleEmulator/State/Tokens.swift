import Primitives

/// What an authorization code stands for until it is redeemed.
struct AuthorizationCode: Sendable {
  /// Google: a code lives a short time; ten minutes is the most RFC 6749 section 4.1.2 recommends.
  static let lifetime = Duration.seconds(600)

  let clientID: String
  let redirectURI: String
  let sub: String
  let scopes: ScopeList
  let nonce: String?
  let challenge: CodeChallenge?
  let offline: Bool
  let issuedAt: Timestamp
  var isSpent = false

  /// Whether it is too late for it.
  func isExpired(at now: Timestamp) -> Bool { now - issuedAt >= Self.lifetime }
}

/// An access token and whom it speaks for.
struct AccessToken: Sendable {
  let clientID: String
  let sub: String
  let scopes: ScopeList
  let offline: Bool
  let issuedAt: Timestamp
  let expiresAt: Timestamp
  var isRevoked = false

  func isLive(at now: Timestamp) -> Bool { !isRevoked && now < expiresAt }

  /// Whole seconds left, rounded up so that a live token never shows 0.
  func secondsLeft(at now: Timestamp) -> Int64 { ((expiresAt - now).microseconds + 999_999) / 1_000_000 }
}

/// A refresh token and what can end it (Google, "Refresh token expiration").
struct RefreshToken: Sendable {
  /// Six months without use end it.
  static let idleLimit = Duration.seconds(182 * 86_400)
  /// Seven days after consent end it while the project is in testing, unless it only identifies.
  static let testingLimit = Duration.seconds(7 * 86_400)
  /// How many live ones an account may have per client; the next one silently ends the oldest.
  static let cap = 100
  /// How long after its death the answer still says what happened to it.
  static let memory = Duration.seconds(12 * 3600)

  let clientID: String
  let sub: String
  let scopes: ScopeList
  let consentedAt: Timestamp
  var lastUsed: Timestamp
  var isInTesting: Bool
  var endedAt: Timestamp?

  /// When testing mode ends it; nil when it does not.
  var testingEnd: Timestamp? {
    isInTesting && !scopes.optional.isEmpty ? consentedAt + Self.testingLimit : nil
  }

  /// When it died; nil while it lives.
  func death(at now: Timestamp) -> Timestamp? {
    [endedAt, testingEnd, lastUsed + Self.idleLimit].compactMap { $0 }.filter { $0 <= now }.min()
  }
}

/// Tokens as just issued, before they become a reply.
struct IssuedTokens: Sendable {
  let accessToken: Secret
  let expiresIn: Int64
  let refreshToken: Secret?
  let refreshTokenExpiresIn: Int64?
  let scopes: ScopeList
  let sub: String
  let clientID: String
  let nonce: String?
}
