import Cryptography
import HTTP
import Primitives

/// `POST /token`: codes and refresh tokens become access tokens (RFC 6749 sections 4.1.3 and 6).
struct TokenEndpoint: Sendable {
  let core: EmulatorCore

  func respond(to request: HTTPRequest) -> HTTPResponse {
    do {
      return try .google(200, answer(request))
    } catch {
      return error.response
    }
  }

  private func answer(_ request: HTTPRequest) throws(OAuthError) -> JSONValue {
    let form = Parameters(form: request)
    if let name = form.repeatedName { throw .repeated(name) }
    let grantType = form["grant_type"] ?? ""
    guard ["authorization_code", "refresh_token"].contains(grantType) else {
      throw .unsupportedGrantType(grantType)
    }
    let client = try ClientAuthentication(core: core).client(of: request, form)
    let (tokens, account, now) = try core.withState {
      (state, now) throws(OAuthError) -> (IssuedTokens, Account?, Timestamp) in
      let issuer = TokenIssuer(random: core.random, settings: state.settings, now: now)
      let tokens =
        grantType == "refresh_token"
        ? try refresh(form, client, issuer, &state) : try redeem(form, client, issuer, &state)
      return (tokens, state.directory.find(sub: tokens.sub), now)
    }
    return TokenReply(core: core, base: BaseURL.of(request)).body(tokens, account, at: now)
  }

  private func redeem(
    _ form: Parameters, _ client: OAuthClient, _ issuer: TokenIssuer, _ state: inout EmulatorState
  ) throws(OAuthError) -> IssuedTokens {
    guard let text = form.nonEmpty("code") else { throw .missingParameter("code") }
    guard let redirectURI = form.nonEmpty("redirect_uri") else { throw .missingParameter("redirect_uri") }
    guard text.hasPrefix("4/") else { throw .invalidGrant("Malformed auth code.") }
    let name = Secret(text)
    guard let code = state.ledger.code(name, at: issuer.now), code.clientID == client.id else {
      throw .unknownGrant
    }
    guard code.redirectURI == redirectURI else { throw .redirectMismatch }
    if let challenge = code.challenge {
      guard let verifier = form.nonEmpty("code_verifier") else {
        throw .invalidGrant("Missing code verifier.")
      }
      guard challenge.accepts(verifier) else { throw .invalidGrant("Invalid code verifier.") }
    }
    state.ledger.spend(name)
    return issuer.redeem(code, in: &state.ledger)
  }

  private func refresh(
    _ form: Parameters, _ client: OAuthClient, _ issuer: TokenIssuer, _ state: inout EmulatorState
  ) throws(OAuthError) -> IssuedTokens {
    guard let text = form.nonEmpty("refresh_token") else { throw .missingParameter("refresh_token") }
    let name = Secret(text)
    guard let token = state.ledger.refreshTokens[name], state.directory.find(sub: token.sub) != nil else {
      throw .unknownGrant
    }
    guard token.clientID == client.id else { throw .foreignClient }
    if let death = token.death(at: issuer.now) {
      throw issuer.now - death < RefreshToken.memory ? .expiredOrRevoked : .unknownGrant
    }
    let asked = form.nonEmpty("scope").map { ScopeList($0) } ?? token.scopes
    guard token.scopes.covers(asked) else { throw .widerScope }
    return issuer.refresh(name, token, scopes: asked.isEmpty ? token.scopes : asked, in: &state.ledger)
  }
}

/// The JSON of a successful token reply.
struct TokenReply: Sendable {
  let core: EmulatorCore
  let base: String

  /// The reply; with an ID token when a scope says who someone is.
  func body(_ tokens: IssuedTokens, _ account: Account?, at now: Timestamp) -> JSONValue {
    var members: [String: JSONValue] = [
      "access_token": .string(tokens.accessToken.expose()),
      "expires_in": .integer(tokens.expiresIn),
      "scope": .string(tokens.scopes.replyText),
      "token_type": "Bearer",
    ]
    members["refresh_token"] = tokens.refreshToken.map { .string($0.expose()) }
    members["refresh_token_expires_in"] = tokens.refreshTokenExpiresIn.map { .integer($0) }
    if tokens.scopes.identifies, let account {
      let picture = BaseURL.picture(of: account, base: base)
      let token = try? IDTokenFactory(keys: core.keys).token(
        for: account, with: tokens, picture: picture, at: now)
      members["id_token"] = token.map { .string($0) }
    }
    return .object(members)
  }
}
