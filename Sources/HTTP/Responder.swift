/// Answers requests. The seam between an application and whatever carries HTTP to it: a socket server,
/// a Lambda event, a test. It never throws: what fails becomes a response.
public protocol Responder: Sendable {
  /// The answer to `request`.
  func respond(to request: HTTPRequest) async -> HTTPResponse
}

/// Stands before a responder: may answer itself, or change what goes in and comes out.
public protocol Middleware: Sendable {
  /// The answer to `request`, which `next` gives unless this has its own.
  func respond(to request: HTTPRequest, next: any Responder) async -> HTTPResponse
}

extension Responder {
  /// This responder behind `middleware`.
  public func behind(_ middleware: some Middleware) -> some Responder {
    Guarded(middleware: middleware, inner: self)
  }
}

private struct Guarded<Outer: Middleware, Inner: Responder>: Responder {
  let middleware: Outer
  let inner: Inner
  func respond(to request: HTTPRequest) async -> HTTPResponse {
    await middleware.respond(to: request, next: inner)
  }
}
