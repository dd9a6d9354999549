import Primitives

/// Makes token strings in Google's forms and enters them into a ledger.
struct TokenIssuer: Sendable {
  let random: RandomSource
  let settings: EmulatorSettings
  let now: Timestamp

  /// A new authorization code; like Google's it holds a slash.
  func codeName() -> Secret { Secret("4/0A" + Base64URL.encode(random.bytes(52))) }

  private func accessName() -> Secret { Secret("ya29.a0" + Base64URL.encode(random.bytes(156))) }
  private func refreshName() -> Secret { Secret("1//0g" + Base64URL.encode(random.bytes(66))) }

  /// What a redeemed code gives.
  func redeem(_ code: AuthorizationCode, in ledger: inout TokenLedger) -> IssuedTokens {
    issue(
      sub: code.sub, clientID: code.clientID, scopes: code.scopes, consentedAt: code.issuedAt,
      refresh: code.offline ? refreshName() : nil, nonce: code.nonce, in: &ledger)
  }

  /// What a refresh gives: a new access token, and with rotation a new refresh token that ends the old one.
  func refresh(
    _ name: Secret, _ token: RefreshToken, scopes: ScopeList, in ledger: inout TokenLedger
  ) -> IssuedTokens {
    ledger.touch(name, at: now)
    guard settings.rotatesRefreshTokens else {
      let access = access(
        sub: token.sub, clientID: token.clientID, scopes: scopes, offline: true, in: &ledger)
      return issued(access, nil, scopes: scopes, token, nonce: nil)
    }
    ledger.end(name, at: now)
    let successor = RefreshToken(
      clientID: token.clientID, sub: token.sub, scopes: token.scopes, consentedAt: token.consentedAt,
      lastUsed: now,
      isInTesting: token.isInTesting)
    let successorName = refreshName()
    ledger.add(successor, name: successorName, at: now)
    let access = access(sub: token.sub, clientID: token.clientID, scopes: scopes, offline: true, in: &ledger)
    return issued(access, successorName, scopes: scopes, successor, nonce: nil)
  }

  /// A pair as the control interface mints it, with names of the caller's own where given.
  func mint(
    sub: String, clientID: String, scopes: ScopeList, accessToken: Secret?, refreshToken: Secret?,
    in ledger: inout TokenLedger
  ) -> IssuedTokens {
    issue(
      sub: sub, clientID: clientID, scopes: scopes, consentedAt: now, access: accessToken,
      refresh: refreshToken ?? refreshName(), nonce: nil, in: &ledger)
  }

  private func issue(
    sub: String, clientID: String, scopes: ScopeList, consentedAt: Timestamp, access fixed: Secret? = nil,
    refresh: Secret?, nonce: String?, in ledger: inout TokenLedger
  ) -> IssuedTokens {
    let token = RefreshToken(
      clientID: clientID, sub: sub, scopes: scopes, consentedAt: consentedAt, lastUsed: now,
      isInTesting: settings.isTesting)
    if let refresh { ledger.add(token, name: refresh, at: now) }
    let access = access(
      fixed, sub: sub, clientID: clientID, scopes: scopes, offline: refresh != nil, in: &ledger)
    return issued(access, refresh, scopes: scopes, token, nonce: nonce)
  }

  private func access(
    _ fixed: Secret? = nil, sub: String, clientID: String, scopes: ScopeList, offline: Bool,
    in ledger: inout TokenLedger
  ) -> Secret {
    let name = fixed ?? accessName()
    ledger.add(
      AccessToken(
        clientID: clientID, sub: sub, scopes: scopes, offline: offline, issuedAt: now,
        expiresAt: now + .seconds(settings.accessTokenLifetime)), name: name)
    return name
  }

  private func issued(
    _ access: Secret, _ refresh: Secret?, scopes: ScopeList, _ token: RefreshToken, nonce: String?
  ) -> IssuedTokens {
    IssuedTokens(
      accessToken: access, expiresIn: settings.accessTokenLifetime, refreshToken: refresh,
      refreshTokenExpiresIn: token.testingEnd.map { ($0 - now).microseconds / 1_000_000 }, scopes: scopes,
      sub: token.sub, clientID: token.clientID, nonce: nonce)
  }
}
