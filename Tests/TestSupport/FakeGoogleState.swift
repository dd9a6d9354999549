import Domain
import Primitives

/// How a ``FakeGoogle`` behaves.
package struct FakeGoogleSettings: Sendable {
  /// Seconds that an access token lives.
  package var lifetime: Int64 = 3600
  /// Whether a refresh replaces the refresh token, and kills the old one.
  package var rotates = false
  /// Whether a refresh's reply has an ID token.
  package var namesIdentity = true
  /// Whether a refresh's reply names the scopes.
  package var namesScopes = true
  /// The audience of ID tokens; nil means the client that asked.
  package var audience: GoogleClientID?
  /// Seconds until a grant itself ends; nil when it does not.
  package var grantLifetime: Int64?
}

/// One person's permission to one client.
struct FakeGrant: Sendable {
  let account: GoogleAccount
  let clientID: GoogleClientID
  let scopes: GrantedScopes
  var isAlive = true
}

/// What a ``FakeGoogle`` knows.
struct FakeGoogleState: Sendable {
  var settings = FakeGoogleSettings()
  var calls: [FakeGoogle.Endpoint: Int] = [:]
  var tokenTimeouts: [Duration] = []
  var failures: [FakeGoogle.Endpoint: (error: GoogleError, times: Int)] = [:]
  var gates: [FakeGoogle.Endpoint: [(FakeGoogle.Hold, Gate)]] = [:]
  var grants: [FakeGrant] = []
  var refreshTokens: [GoogleRefreshToken: Int] = [:]
  var accessTokens: [GoogleAccessToken: (grant: Int, expiresAt: Timestamp)] = [:]
  var mailboxes: [GoogleSubject: String] = [:]
  private var serial = 0

  mutating func nextGate(at endpoint: FakeGoogle.Endpoint) -> (FakeGoogle.Hold, Gate)? {
    guard let gate = gates[endpoint]?.first else { return nil }
    gates[endpoint]?.removeFirst()
    return gate
  }

  mutating func nextFailure(at endpoint: FakeGoogle.Endpoint) -> GoogleError? {
    guard let (error, times) = failures[endpoint] else { return nil }
    failures[endpoint] = times > 1 ? (error, times - 1) : nil
    return error
  }

  // MARK: Tokens

  mutating func issueAccessToken(of grant: Int, at now: Timestamp) -> GoogleAccessToken {
    serial += 1
    let token = GoogleAccessToken(Secret("ya29.access-\(serial)"))
    accessTokens[token] = (grant, now + .seconds(settings.lifetime))
    return token
  }

  mutating func issueRefreshToken(of grant: Int) -> GoogleRefreshToken {
    serial += 1
    let token = GoogleRefreshToken(Secret("1//refresh-\(serial)"))
    refreshTokens[token] = grant
    return token
  }

  private func grant(behind token: GoogleAccessToken, at now: Timestamp) -> (FakeGrant, Timestamp)? {
    guard let (index, expiresAt) = accessTokens[token], grants[index].isAlive, expiresAt > now else {
      return nil
    }
    return (grants[index], expiresAt)
  }

  // MARK: Endpoints

  func tokenInfo(_ token: GoogleAccessToken, at now: Timestamp) -> Result<TokenInfo, GoogleError> {
    guard let (grant, expiresAt) = grant(behind: token, at: now) else { return .failure(.invalidToken) }
    return .success(
      TokenInfo(
        audience: grant.clientID, authorizedParty: grant.clientID,
        subject: grant.namesAccount ? grant.account.subject : nil, scopes: grant.scopes,
        expiresIn: (expiresAt - now).components.seconds, email: grant.namesAccount ? grant.account.email : nil
      ))
  }

  func userInfo(_ token: GoogleAccessToken, at now: Timestamp) -> Result<UserInfo, GoogleError> {
    guard let (grant, _) = grant(behind: token, at: now) else { return .failure(.invalidToken) }
    guard grant.namesAccount else { return .failure(.insufficientScope) }
    let account = grant.account
    return .success(
      UserInfo(
        subject: account.subject, email: account.email, name: account.name,
        emailVerified: account.emailVerified))
  }

  mutating func refresh(_ token: GoogleRefreshToken, clientID: GoogleClientID, at now: Timestamp)
    -> Result<TokenReply, GoogleError>
  {
    guard let index = refreshTokens[token], grants[index].isAlive else {
      return .failure(.refused(.invalidGrant(rapt: false)))
    }
    let grant = grants[index]
    guard grant.clientID == clientID else { return .failure(.refused(.unauthorizedClient)) }
    var replacement: GoogleRefreshToken?
    if settings.rotates {
      refreshTokens[token] = nil
      replacement = issueRefreshToken(of: index)
    }
    let identity = IdentityClaims(
      subject: grant.account.subject, audience: [settings.audience ?? clientID])
    return .success(
      TokenReply(
        accessToken: issueAccessToken(of: index, at: now), expiresIn: settings.lifetime,
        refreshToken: replacement, scopes: settings.namesScopes ? grant.scopes : nil,
        identity: settings.namesIdentity && grant.namesAccount ? identity : nil,
        refreshTokenExpiresIn: settings.grantLifetime))
  }

  mutating func revoke(_ token: Secret) -> Result<Void, GoogleError> {
    let index =
      refreshTokens[GoogleRefreshToken(token)] ?? accessTokens[GoogleAccessToken(token)]?.grant
    if let index { killGrants(of: grants[index].account.subject) }
    return .success(())
  }

  mutating func killGrants(of subject: GoogleSubject) {
    for index in grants.indices where grants[index].account.subject == subject {
      grants[index].isAlive = false
    }
  }

  func profile(_ token: GoogleAccessToken, at now: Timestamp) -> Result<MailboxProfile, GoogleError> {
    guard let (grant, _) = grant(behind: token, at: now) else { return .failure(.invalidToken) }
    guard grant.scopes.canReadMail else { return .failure(.insufficientScope) }
    let address = mailboxes[grant.account.subject] ?? grant.account.email
    return .success(MailboxProfile(emailAddress: address, messagesTotal: 0))
  }

  func newestMessage(_ token: GoogleAccessToken, at now: Timestamp) -> Result<GmailMessage?, GoogleError> {
    profile(token, at: now).map { _ in nil }
  }
}

extension FakeGrant {
  /// Whether an identity scope was granted.
  var namesAccount: Bool {
    scopes.values.contains { $0 == "openid" || $0 == "email" || $0.contains("userinfo") }
  }
}
