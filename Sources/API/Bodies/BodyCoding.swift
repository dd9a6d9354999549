import HTTP

/// Refuses bodies that came compressed: none of the endpoints unpacks, and a packed body has no honest size.
struct BodyCoding: Middleware {
  func respond(to request: HTTPRequest, next: any Responder) async -> HTTPResponse {
    let coding = request.fields["Content-Encoding"]?.lowercased() ?? "identity"
    guard coding == "identity" || request.body.isEmpty else {
      return ErrorResponse.unsupportedCoding.response(to: request)
    }
    return await next.respond(to: request)
  }
}
