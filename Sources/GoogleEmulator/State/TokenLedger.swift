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

  /// The clients of the one project that is emulated. Any other is somebody else's app, in a project of its own.
  private let clients: Set<String>
  private(set) var grants: [String: ProjectGrant] = [:]
  private(set) var accessTokens: [Secret: AccessToken] = [:]
  private(set) var refreshTokens: [Secret: RefreshToken] = [:]
  private var codes: [Secret: AuthorizationCode] = [:]
  private var heldInOrder: [Holder: [Secret]] = [:]

  /// An empty ledger of the project with these clients.
  init(clients: Set<String> = []) { self.clients = clients }

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
    if grants[token.sub] == nil, clients.contains(token.clientID) {
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

  /// Revokes the whole grant behind a live token, as Google does: every client of its project, and no other
  /// project's. False when the token is not live.
  mutating func revokeGrant(behind token: Secret, at now: Timestamp) -> Bool {
    if let access = accessTokens[token], access.isLive(at: now) {
      revoke(sub: access.sub, projectOf: access.clientID, at: now)
    } else if let refresh = refreshTokens[token], refresh.death(at: now) == nil {
      revoke(sub: refresh.sub, projectOf: refresh.clientID, at: now)
    } else {
      return false
    }
    return true
  }

  /// Ends everything that `sub` allowed anybody.
  mutating func revokeAll(sub: String, at now: Timestamp) {
    grants[sub] = nil
    endAll(of: sub, at: now) { _ in true }
  }

  private mutating func revoke(sub: String, projectOf clientID: String, at now: Timestamp) {
    let project = clients.contains(clientID) ? clients : [clientID]
    if clients.contains(clientID) { grants[sub] = nil }
    endAll(of: sub, at: now, where: project.contains)
  }

  /// Ends the tokens and codes of `sub` that were made for a client like that.
  private mutating func endAll(of sub: String, at now: Timestamp, where isMeant: (String) -> Bool) {
    for (name, token) in refreshTokens where token.sub == sub && isMeant(token.clientID) {
      end(name, at: now)
    }
    for (name, token) in accessTokens where token.sub == sub && isMeant(token.clientID) {
      accessTokens[name]?.isRevoked = true
    }
    for (name, code) in codes where code.sub == sub && isMeant(code.clientID) { codes[name]?.isSpent = true }
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
