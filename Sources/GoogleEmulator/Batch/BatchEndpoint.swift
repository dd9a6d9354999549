import HTTP
import Primitives

/// `POST /batch`: many Gmail calls in one (Gmail API, "Batching requests"). Each inner call passes the gate
/// by itself, so that faults can strike single parts of a batch that is otherwise well.
struct BatchEndpoint: Sendable {
  /// The most inner calls.
  static let limit = 100

  let gate: Gate
  let gmail: Router

  var routes: [Router.Route] {
    ["/batch", "/batch/gmail/v1"].map { path in
      Router.Route(.post, path) { request, _ in await respond(to: request) }
    }
  }

  private func respond(to request: HTTPRequest) async -> HTTPResponse {
    let type = request.fields["Content-Type"].map { ParameterizedField($0) }
    guard let type, type.value == "multipart/mixed", let boundary = type["boundary"], !boundary.isEmpty else {
      return GoogleAPIError.badRequest("Failed to parse batch request, error: expected multipart/mixed.")
        .response
    }
    let parts = BatchPart.parts(of: request, boundary: boundary)
    guard !parts.isEmpty else {
      return GoogleAPIError.badRequest("Failed to parse batch request, error: 0 items.").response
    }
    guard parts.count <= Self.limit else {
      return GoogleAPIError.badRequest(
        "Inner request count exceeds the limit. Received: \(parts.count), Limit: \(Self.limit)"
      ).response
    }
    var body: [UInt8] = []
    let responseBoundary = "batch_\(request.id.isEmpty ? "emulator" : request.id)_response"
    for (number, part) in parts.enumerated() {
      let response = await answer(part)
      body += Array("--\(responseBoundary)\r\n".utf8)
      body += BatchPart.encode(response, contentID: part.responseID(number: number + 1))
    }
    body += Array("--\(responseBoundary)--\r\n".utf8)
    return HTTPResponse(
      status: 200, fields: ["Content-Type": "multipart/mixed; boundary=\(responseBoundary)"], body: body)
  }

  private func answer(_ part: BatchPart) async -> HTTPResponse {
    guard let inner = part.request else {
      return GoogleAPIError.badRequest("Failed to parse batch request, error: malformed inner request.")
        .response
    }
    guard Endpoint(path: inner.path) == .gmail else { return GoogleAPIError.notFound.response }
    return await gate.pass(.gmail, inside: true) { await gmail.respond(to: inner) }
  }
}
