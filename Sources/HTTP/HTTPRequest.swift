/// A request method (RFC 9110 section 9), case-sensitive.
public struct HTTPMethod: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  /// The method's name as it stands in the request line.
  public let rawValue: String
  /// A method by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The method's name.
  public var description: String { rawValue }

  /// GET.
  public static let get = HTTPMethod(rawValue: "GET")
  /// HEAD.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// POST.
  public static let post = HTTPMethod(rawValue: "POST")
  /// PUT.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// DELETE.
  public static let delete = HTTPMethod(rawValue: "DELETE")
  /// PATCH.
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// OPTIONS.
  public static let options = HTTPMethod(rawValue: "OPTIONS")
}

/// One request as a ``Responder`` sees it: parsed, complete, within the limits.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The path as sent, still percent-encoded; begins with `/`, or is `*`.
  public var path: String
  /// What follows the first `?`, still percent-encoded; nil without one.
  public var query: String?
  /// The header fields, in order.
  public var fields: HTTPFields
  /// The whole body, chunked coding removed.
  public var body: [UInt8]
  /// The peer's IP address as text; nil when there is no socket.
  public var peer: String?
  /// Names this request in the log and in an error reply.
  public var id: String

  /// A request.
  public init(
    method: HTTPMethod, path: String, query: String? = nil, fields: HTTPFields = [:], body: [UInt8] = [],
    peer: String? = nil, id: String = ""
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
    self.peer = peer
    self.id = id
  }
}
