import HTTP
import Primitives
import WireModels

extension Application {
  /// `GET /healthz`: the process answers.
  func getHealth(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    .encoded(200, JSONValue.object(["status": "ok"]))
  }

  /// `GET /readyz`: the store can be written, so that work can be done.
  func getReadiness(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    guard await isReady() else {
      throw ErrorResponse(
        status: 503, code: .dependencyFailure, message: "The store cannot be written.",
        retryAfter: .seconds(5))
    }
    return .encoded(200, JSONValue.object(["status": "ready"]))
  }

  /// `GET /openapi.json`: the description of this API.
  func getOpenAPI(_ request: HTTPRequest) async throws(ErrorResponse) -> HTTPResponse {
    HTTPResponse.json(200, OpenAPIDocument.json)
  }
}
