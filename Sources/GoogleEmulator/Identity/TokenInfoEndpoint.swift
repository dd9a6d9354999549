import HTTP
import Primitives

/// `tokeninfo`: what a token is. The token comes in the query, in a form or as Bearer.
struct TokenInfoEndpoint: Sendable {
  /// Which keys an address answers with.
  enum Shape: Sendable {
    /// v1 and v2: numbers are numbers.
    case legacy
    /// v3: every value is a string.
    case strings
  }

  let core: EmulatorCore
  let shape: Shape

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let sent = Parameters(query: request).appending(Parameters(form: request))
    if let token = sent.nonEmpty("id_token") { return idToken(Secret(token)) }
    guard let name = sent.nonEmpty("access_token").map({ Secret($0) }) ?? Credentials.bearer(request) else {
      return OAuthError.invalidRequest("Either access_token, id_token, or token_handle required").response
    }
    let found = core.withState { state, now -> (AccessToken, Account?, Timestamp)? in
      guard let token = state.ledger.accessTokens[name], token.isLive(at: now) else { return nil }
      return (token, state.directory.find(sub: token.sub), now)
    }
    guard let (token, account, now) = found, let account else { return OAuthError.invalidValue.response }
    return .google(
      200, .object(shape == .strings ? strings(token, account, now) : legacy(token, account, now)))
  }

  private func strings(_ token: AccessToken, _ account: Account, _ now: Timestamp) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "azp": .string(token.clientID), "aud": .string(token.clientID),
      "scope": .string(token.scopes.replyText),
      "exp": .string(String(token.expiresAt.seconds)),
      "expires_in": .string(String(token.secondsLeft(at: now))),
      "access_type": token.offline ? "offline" : "online",
    ]
    if token.scopes.identifies { members["sub"] = .string(account.sub) }
    if token.scopes.contains(ScopeCatalogue.email) {
      members["email"] = .string(account.email)
      members["email_verified"] = .string(String(account.emailVerified))
    }
    return members
  }

  private func legacy(_ token: AccessToken, _ account: Account, _ now: Timestamp) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "issued_to": .string(token.clientID), "audience": .string(token.clientID),
      "scope": .string(token.scopes.replyText), "expires_in": .integer(token.secondsLeft(at: now)),
      "access_type": token.offline ? "offline" : "online",
    ]
    if token.scopes.identifies { members["user_id"] = .string(account.sub) }
    if token.scopes.contains(ScopeCatalogue.email) {
      members["email"] = .string(account.email)
      members["verified_email"] = .bool(account.emailVerified)
    }
    return members
  }

  private func idToken(_ token: Secret) -> HTTPResponse {
    guard let (header, claims) = core.keys.verifiedClaims(of: token), let expiry = claims["exp"]?.integer,
      core.withState({ _, now in now.seconds < expiry })
    else { return OAuthError.invalidValue.response }
    var members = (claims.object ?? [:]).mapValues(Self.asString)
    for name in ["alg", "kid", "typ"] { members[name] = header[name] }
    return .google(200, .object(members))
  }

  private static func asString(_ value: JSONValue) -> JSONValue {
    switch value {
    case .bool(let flag): .string(String(flag))
    case .integer(let number): .string(String(number))
    default: value
    }
  }
}
