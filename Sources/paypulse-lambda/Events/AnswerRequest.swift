import API
import HTTP
import Primitives

/// Answers a request that came through the HTTP API, as the server answers one from a socket.
struct AnswerRequest {
  /// The largest body that is looked at, as everywhere.
  private static let largestBody = 64 << 10

  let live: LiveBackend
  let time: TimeSource
  let log: Log

  func callAsFunction(_ request: HTTPRequest) async -> HTTPResponse {
    let start = ContinuousClock.now
    let response = await respond(request)
    log.request(
      id: request.id, method: request.method, response: response,
      microseconds: (ContinuousClock.now - start).microseconds)
    return response
  }

  private func respond(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.body.count <= Self.largestBody else {
      return ErrorResponse.transport(413, requestID: request.id)
    }
    let response = await respond(request, with: live.current())
    guard response.status == 401, Self.saysInvalidToken(response) else { return response }
    // The token may be of a key that this process does not know yet.
    guard let renewed = await live.afterRefusedToken() else { return response }
    return await respond(request, with: renewed)
  }

  private func respond(_ request: HTTPRequest, with current: LiveBackend.Current) async -> HTTPResponse {
    let response = await current.responder.respond(to: request)
    await current.backend.drain()
    return response
  }

  private static func saysInvalidToken(_ response: HTTPResponse) -> Bool {
    JSONValue(json: response.body)?["error"]?["code"]?.string == "INVALID_TOKEN"
  }
}
