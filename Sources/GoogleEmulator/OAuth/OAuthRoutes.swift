import HTTP
import Primitives

/// Every address of sign-in, tokens and identity, legacy ones included.
struct OAuthRoutes: Sendable {
  let core: EmulatorCore

  var routes: [Router.Route] { authorization + tokens + identity + documents }

  private var authorization: [Router.Route] {
    let endpoint = AuthorizationEndpoint(core: core)
    return ["/o/oauth2/v2/auth", "/o/oauth2/auth"].flatMap { path in
      [HTTPMethod.get, .post].map { Router.Route($0, path) { request, _ in endpoint.begin(request) } }
    } + [
      Router.Route(.post, "/signin/oauth/account") { request, _ in endpoint.chooseAccount(request) },
      Router.Route(.post, "/signin/oauth/consent") { request, _ in endpoint.consent(request) },
    ]
  }

  private var tokens: [Router.Route] {
    let token = TokenEndpoint(core: core)
    let revoke = RevokeEndpoint(core: core)
    return ["/token", "/oauth2/v4/token", "/o/oauth2/token"].map { path in
      Router.Route(.post, path) { request, _ in token.respond(to: request) }
    } + [
      Router.Route(.post, "/revoke") { request, _ in revoke.respond(to: request) },
      Router.Route(.get, "/o/oauth2/revoke") { request, _ in revoke.respond(to: request) },
      Router.Route(.post, "/o/oauth2/revoke") { request, _ in revoke.respond(to: request) },
    ]
  }

  private var identity: [Router.Route] {
    let info: [(String, TokenInfoEndpoint.Shape)] = [
      ("/tokeninfo", .strings), ("/oauth2/v3/tokeninfo", .strings), ("/oauth2/v1/tokeninfo", .legacy),
      ("/oauth2/v2/tokeninfo", .legacy),
    ]
    let user: [(String, UserInfoEndpoint.Shape)] = [
      ("/oauth2/v1/userinfo", .legacy), ("/oauth2/v2/userinfo", .legacy), ("/userinfo/v2/me", .legacy),
      ("/oauth2/v3/userinfo", .openID), ("/v1/userinfo", .openID),
    ]
    return [HTTPMethod.get, .post].flatMap { method in
      info.map { path, shape in
        Router.Route(method, path) { request, _ in
          TokenInfoEndpoint(core: core, shape: shape).respond(to: request)
        }
      }
        + user.map { path, shape in
          Router.Route(method, path) { request, _ in
            UserInfoEndpoint(core: core, shape: shape).respond(to: request)
          }
        }
    }
  }

  private var documents: [Router.Route] {
    [
      Router.Route(.get, "/.well-known/openid-configuration") { request, _ in
        OpenIDConfiguration.document(for: request)
      },
      Router.Route(.get, "/oauth2/v3/certs") { _, _ in .document(core.keys.jwks) },
      Router.Route(.get, "/oauth2/v1/certs") { _, _ in .document(core.keys.certificates) },
      Router.Route(.get, "/a/{sub}") { _, parameters in picture(of: parameters["sub"] ?? "") },
    ]
  }

  /// A round picture with the account's first letter.
  private func picture(of sub: String) -> HTTPResponse {
    guard let account = core.withState({ state, _ in state.directory.find(sub: sub) }) else {
      return .notFoundPage
    }
    let letter = ConsentPage.escape(String(account.name.prefix(1)).uppercased())
    let image = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><circle cx="48" cy="48" r="48" fill="#0b57d0"/>\
      <text x="48" y="64" font-size="48" font-family="sans-serif" text-anchor="middle" fill="#fff">\(letter)</text></svg>
      """
    return HTTPResponse(status: 200, fields: ["Content-Type": "image/svg+xml"], body: Array(image.utf8))
  }
}
