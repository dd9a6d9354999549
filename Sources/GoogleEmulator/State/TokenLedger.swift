import Primitives

/// Every code, token and grant that was ever given out. A value: time and chance come in with each call.
struct TokenLedger: Sendable {
  /// What an account has allowed the project, whatever the client.
  struct ProjectGrant: Sendable {
    var scopes: ScopeList
    var consentedAt: Timestamp
  }

  private struct Holder: Hashable {
    let sub: String
    let clientID: String
  }

  private(set) var grants: [String: ProjectGrant] = [:]
  private(set) var accessTokens: [Secret: AccessToken] = [:]
  private(set) var refreshTokens: [Secret: RefreshToken] = [:]
  private var codes: [Secret: AuthorizationCode] = [:]
  private var heldInOrder: [Holder: [Secret]] = [:]

  // MARK: - Codes

  /// Remembers consent and keeps a code for it. Scopes granted before join in when `includingGranted`.
  /// Gives the scopes that the code stands for.
  mutating func grant(_ code: AuthorizationCode, includingGranted: Bool, name: Secret) -> ScopeList {
    let earlier = grants[code.sub]?.scopes ?? ScopeList()
    grants[code.sub] = ProjectGrant(scopes: earlier.union(code.scopes), consentedAt: code.issuedAt)
    let kept = includingGranted ? code.widened(by: earlier) : code
    codes[name] = kept
    return kept.scopes
  }

  /// The code called `name`, if it can still be redeemed; `spend` ends it.
  func code(_ name: Secret, at now: Timestamp) -> AuthorizationCode? {
    codes[name].flatMap { $0.isSpent || $0.isExpired(at: now) ? nil : $0 }
  }

  mutating func spend(_ code: Secret) { codes[code]?.isSpent = true }

  // MARK: - Tokens

  /// Keeps an access token.
  mutating func add(_ token: AccessToken, name: Secret) { accessTokens[name] = token }

  /// Keeps a refresh token; beyond the cap the holder's oldest live one ends, without a word.
  mutating func add(_ token: RefreshToken, name: Secret, at now: Timestamp) {
    let holder = Holder(sub: token.sub, clientID: token.clientID)
    refreshTokens[name] = token
    var held = heldInOrder[holder, default: []].filter {
      $0 != name && refreshTokens[$0]?.death(at: now) == nil
    }
    held.append(name)
    while held.count > RefreshToken.cap { end(held.removeFirst(), at: now) }
    heldInOrder[holder] = held
    if grants[token.sub] == nil {
      grants[token.sub] = ProjectGrant(scopes: token.scopes, consentedAt: token.consentedAt)
    }
  }

  /// Ends one refresh token.
  mutating func end(_ refreshToken: Secret, at now: Timestamp) {
    if refreshTokens[refreshToken]?.death(at: now) == nil { refreshTokens[refreshToken]?.endedAt = now }
  }

  /// Notes that a refresh token was used, which restarts its six months.
  mutating func touch(_ refreshToken: Secret, at now: Timestamp) {
    refreshTokens[refreshToken]?.lastUsed = now
  }

  /// Whether `sub` holds a live refresh token of this client.
  func holdsRefreshToken(sub: String, clientID: String, at now: Timestamp) -> Bool {
    heldInOrder[Holder(sub: sub, clientID: clientID), default: []]
      .contains { refreshTokens[$0]?.death(at: now) == nil }
  }

  // MARK: - Ends

  /// Revokes the whole grant behind a live token, as Google does; false when the token is not live.
  mutating func revokeGrant(behind token: Secret, at now: Timestamp) -> Bool {
    if let access = accessTokens[token], access.isLive(at: now) {
      revokeAll(sub: access.sub, at: now)
    } else if let refresh = refreshTokens[token], refresh.death(at: now) == nil {
      revokeAll(sub: refresh.sub, at: now)
    } else {
      return false
    }
    return true
  }

  /// Ends everything that `sub` allowed this project: every client's tokens and codes.
  mutating func revokeAll(sub: String, at now: Timestamp) {
    grants[sub] = nil
    for (name, token) in refreshTokens where token.sub == sub { end(name, at: now) }
    for (name, token) in accessTokens where token.sub == sub { accessTokens[name]?.isRevoked = true }
    for (name, code) in codes where code.sub == sub { codes[name]?.isSpent = true }
  }

  /// Puts every refresh token there is under the seven-day rule.
  mutating func enterTesting() {
    for name in refreshTokens.keys { refreshTokens[name]?.isInTesting = true }
  }
}

extension AuthorizationCode {
  fileprivate func widened(by earlier: ScopeList) -> AuthorizationCode {
    AuthorizationCode(
      clientID: clientID, redirectURI: redirectURI, sub: sub, scopes: scopes.union(earlier), nonce: nonce,
      challenge: challenge, offline: offline, issuedAt: issuedAt)
  }
}
