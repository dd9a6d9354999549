import HTTP
import WireModels

extension Application {
  /// The whole API: every route of the table and the endpoint that answers it.
  package func responder() -> some Responder {
    Router(APIRoute.allCases.map(route)) { request, miss in
      switch miss {
      case .notFound: ErrorResponse.notFound.response(to: request)
      case .methodNotAllowed(let allowed): ErrorResponse.methodNotAllowed(allowed).response(to: request)
      }
    }
    .behind(BodyCoding())
  }

  private func route(_ route: APIRoute) -> Router.Route {
    let endpoint = endpoint(of: route)
    return Router.Route(HTTPMethod(rawValue: route.method), route.path) { request, _ in
      do throws(ErrorResponse) { return try await endpoint(request) } catch {
        return error.response(to: request)
      }
    }
  }

  private typealias Endpoint = @Sendable (HTTPRequest) async throws(ErrorResponse) -> HTTPResponse

  private func endpoint(of route: APIRoute) -> Endpoint {
    switch route {
    case .signup: postSignup
    case .login: postLogin
    case .storeGmailTokens, .storeGmailTokensAlias: postGmailTokens
    case .deleteGmailTokens: deleteGmailTokens
    case .getProfile: getUserMe
    case .deleteAccount: deleteUserMe
    case .health: getHealth
    case .readiness: getReadiness
    case .openAPI: getOpenAPI
    }
  }
}
