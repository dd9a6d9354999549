import HTTP
import Primitives

/// The userinfo endpoints. v1 and v2 say `id` and `verified_email`, v3 and OpenID Connect `sub` and
/// `email_verified`. None of them asks whose client the token was made for: that is the caller's to check.
struct UserInfoEndpoint: Sendable {
  /// Which keys an address answers with.
  enum Shape: Sendable {
    case legacy
    case openID
  }

  let core: EmulatorCore
  let shape: Shape

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let query = Parameters(query: request).appending(Parameters(form: request))
    let name = Credentials.bearer(request) ?? query.nonEmpty("access_token").map { Secret($0) }
    let found = core.withState { state, now -> (AccessToken, Account)? in
      guard let token = name.flatMap({ state.ledger.accessTokens[$0] }), token.isLive(at: now),
        let account = state.directory.find(sub: token.sub)
      else { return nil }
      return (token, account)
    }
    guard let (token, account) = found else { return unauthenticated(hasToken: name != nil) }
    guard token.scopes.identifies else { return insufficient }
    let claims = AccountClaims(
      account: account, scopes: token.scopes, picture: BaseURL.picture(of: account, base: BaseURL.of(request))
    )
    return .google(200, .object(shape == .openID ? claims.openID : claims.legacy))
  }

  private func unauthenticated(hasToken: Bool) -> HTTPResponse {
    guard shape == .openID else {
      return (hasToken ? GoogleAPIError.invalidCredentials : .loginRequired).response
    }
    var response = HTTPResponse.google(
      401, ["error": "invalid_request", "error_description": "Invalid Credentials"])
    response.fields["WWW-Authenticate"] = GoogleAPIError.challenge(hasToken ? "invalid_token" : nil)
    return response
  }

  private var insufficient: HTTPResponse {
    let scopes = ScopeCatalogue.identity.sorted()
    return GoogleAPIError.insufficientScope(
      accepted: scopes, service: "oauth2.googleapis.com", method: "google.identity.userinfo.GetUserInfo"
    ).response
  }
}
