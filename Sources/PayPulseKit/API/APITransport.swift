import HTTP
import Primitives
import WireModels

/// A 2xx reply with what it carries.
struct Reply<Payload: Sendable>: Sendable {
  let status: Int
  let data: Payload?
}

/// Sends one request of the API, repeats it where that is safe, and tells results from errors.
struct APITransport: Sendable {
  let server: ServerAddress
  let http: any HTTPClient
  let retries: RetryPolicy
  let time: TimeSource
  let random: RandomSource

  /// The reply to `route`.
  func call<Payload: Decodable & Sendable>(
    _ route: APIRoute, session: Session?, body: (any Encodable & Sendable)?, timeout: Duration
  ) async throws(APIError) -> Reply<Payload> {
    let response = try await send(request(route, session: session, body: body, timeout: timeout), as: route)
    guard (200..<300).contains(response.status) else { throw Self.error(of: response, on: route) }
    // HTTP takes the body off a 204, whatever the server wrote (RFC 9110 section 15.3.5).
    guard response.status != 204 else { return Reply(status: 204, data: nil) }
    guard let envelope = JSONCoding.decode(SuccessEnvelope<Payload>.self, from: response.body) else {
      throw .invalidReply(status: response.status)
    }
    return Reply(status: envelope.code ?? response.status, data: envelope.data)
  }

  /// Asks a route whose body does not matter.
  func probe(_ route: APIRoute, timeout: Duration) async throws(APIError) {
    let response = try await send(request(route, session: nil, body: nil, timeout: timeout), as: route)
    guard (200..<300).contains(response.status) else { throw Self.error(of: response, on: route) }
  }

  private func request(
    _ route: APIRoute, session: Session?, body: (any Encodable & Sendable)?, timeout: Duration
  ) throws(APIError) -> HTTPClientRequest {
    // A session is spoken of only to the server that gave it.
    if let session, session.server != server { throw .sessionEnded(.invalidToken) }
    var request = HTTPClientRequest(
      method: HTTPMethod(rawValue: route.method), url: server.description + route.path,
      fields: ["Accept": "application/json"], timeout: timeout)
    if let session { request.fields["Authorization"] = "Bearer " + session.token.expose() }
    if let body {
      request.fields["Content-Type"] = "application/json"
      request.body = JSONCoding.encode(body) ?? []
    }
    return request
  }

  private func send(_ request: HTTPClientRequest, as route: APIRoute) async throws(APIError) -> HTTPResponse {
    var attempt = 1
    while true {
      let result: Result<HTTPResponse, HTTPClientError>
      do { result = .success(try await http.send(request)) } catch { result = .failure(error) }
      attempt += 1
      guard route.isRepeatable, let wait = delay(before: attempt, after: result) else {
        return try result.mapError { APIError.unreachable($0) }.get()
      }
      do { try await time.sleep(wait) } catch { throw .unreachable(.cancelled) }
    }
  }

  private func delay(before next: Int, after result: Result<HTTPResponse, HTTPClientError>) -> Duration? {
    switch result {
    case .success(let response):
      guard [502, 503, 504].contains(response.status), !Self.isForTheOperator(response) else { return nil }
      return retries.delay(before: next, retryAfter: RetryPolicy.retryAfter(of: response), random: random)
    case .failure(let error):
      return error.isPassing ? retries.delay(before: next, retryAfter: nil, random: random) : nil
    }
  }

  /// A server that is not set up for Gmail does not get set up within seconds.
  private static func isForTheOperator(_ response: HTTPResponse) -> Bool {
    JSONCoding.decode(ErrorEnvelope.self, from: response.body)?.error.code == .gmailNotConfigured
  }

  /// What a reply that is not 2xx means. Gateways answer `{"message":"Not Found"}`, or HTML.
  private static func error(of response: HTTPResponse, on route: APIRoute) -> APIError {
    guard response.status >= 400 else { return .invalidReply(status: response.status) }
    let details = JSONCoding.decode(ErrorEnvelope.self, from: response.body)?.error
    let code = details?.code ?? .unknownError
    if route.needsSession {
      if response.status == 401, code != .gmailTokenExpired { return .sessionEnded(code) }
      if response.status == 404, code == .userNotFound { return .sessionEnded(code) }
    }
    let gatewayMessage = JSONCoding.decode(JSONValue.self, from: response.body)?["message"]?.string
    return .refused(
      APIError.Refusal(
        status: response.status, code: code, message: details?.message ?? gatewayMessage ?? "",
        reason: details?.reason, requestID: details?.requestID ?? response.fields["X-Request-ID"],
        retryAfter: RetryPolicy.retryAfter(of: response)))
  }
}

extension APIRoute {
  /// Whether sending it twice does the same as once. Not a sign-in either: failed ones are counted.
  var isRepeatable: Bool {
    switch self {
    case .getProfile, .storeGmailTokens, .storeGmailTokensAlias, .deleteGmailTokens, .health, .readiness,
      .openAPI:
      true
    case .signup, .login, .deleteAccount: false
    }
  }
}
