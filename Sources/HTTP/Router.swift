/// Finds the handler for a method and a path, and answers 404 and 405 where there is none.
public struct Router: Responder {
  /// Answers one matched request. `parameters` holds the path's decoded `{name}` parts.
  public typealias Handler = @Sendable (HTTPRequest, _ parameters: [String: String]) async -> HTTPResponse

  /// One row of the table.
  public struct Route: Sendable {
    let method: HTTPMethod
    let template: String
    let segments: [Substring]
    let handler: Handler

    /// A route: `template` is a path whose `{name}` segments match anything but an empty text.
    public init(_ method: HTTPMethod, _ template: String, handler: @escaping Handler) {
      self.method = method
      self.template = template
      self.segments = template.split(separator: "/", omittingEmptySubsequences: false)
      self.handler = handler
    }
  }

  /// What to answer when no route fits.
  public enum Miss: Sendable {
    /// No route has this path.
    case notFound
    /// Routes have this path, with these methods only.
    case methodNotAllowed(allowed: [HTTPMethod])
  }

  private let literal: [String: [Route]]
  private let patterned: [Route]
  private let miss: @Sendable (HTTPRequest, Miss) -> HTTPResponse

  /// A router over `routes`. HEAD is answered by GET's handler.
  public init(_ routes: [Route], miss: @escaping @Sendable (HTTPRequest, Miss) -> HTTPResponse) {
    self.literal = Dictionary(grouping: routes.filter { !$0.template.contains("{") }, by: \.template)
    self.patterned = routes.filter { $0.template.contains("{") }
    self.miss = miss
  }

  /// The matched handler's answer, or the miss.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    let candidates = matches(request.path)
    let wanted = request.method == .head ? .get : request.method
    guard let (route, parameters) = candidates.first(where: { $0.0.method == wanted }) else {
      guard let first = candidates.first else { return miss(request, .notFound) }
      var response = miss(request, .methodNotAllowed(allowed: candidates.map(\.0.method)))
      response.route = first.0.template
      return response
    }
    var response = await route.handler(request, parameters)
    response.route = route.template
    return response
  }

  private func matches(_ path: String) -> [(Route, [String: String])] {
    if let routes = literal[path] { return routes.map { ($0, [:]) } }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    return patterned.compactMap { route in
      Self.parameters(of: segments, in: route.segments).map { (route, $0) }
    }
  }

  private static func parameters(of segments: [Substring], in template: [Substring]) -> [String: String]? {
    guard segments.count == template.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, pattern) in zip(segments, template) {
      if pattern.hasPrefix("{"), pattern.hasSuffix("}") {
        guard !segment.isEmpty, let value = PercentCoding.decode(segment) else { return nil }
        parameters[String(pattern.dropFirst().dropLast())] = value
      } else if segment != pattern {
        return nil
      }
    }
    return parameters
  }
}
