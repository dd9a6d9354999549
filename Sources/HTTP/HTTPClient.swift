/// Sends requests to other servers. Redirects are not followed; every status is a reply, not an error.
public protocol HTTPClient: Sendable {
  /// The reply to `request`.
  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse
}

/// One request to another server.
public struct HTTPClientRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The absolute address; must hold no secret, since addresses are logged along the way.
  public var url: String
  /// The header fields.
  public var fields: HTTPFields
  /// The body; empty for none.
  public var body: [UInt8]
  /// How long all of it may take: connecting, sending, waiting, receiving.
  public var timeout: Duration
  /// The largest reply body accepted, in bytes.
  public var maximumBodySize: Int

  /// A request.
  public init(
    method: HTTPMethod, url: String, fields: HTTPFields = [:], body: [UInt8] = [],
    timeout: Duration = .seconds(10), maximumBodySize: Int = 1 << 20
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.timeout = timeout
    self.maximumBodySize = maximumBodySize
  }
}

/// Why there is no reply. Holds no part of the request, so it is safe to print.
public enum HTTPClientError: Error, Sendable, Hashable {
  /// The address is not an absolute `http` or `https` one.
  case invalidURL
  /// No connection: name not found, refused, TLS failure. The request did not reach the server.
  case unreachable
  /// The time was up; the request may have been carried out.
  case timedOut
  /// The connection broke or spoke no HTTP; the request may have been carried out.
  case connectionLost
  /// The reply was larger than allowed.
  case responseTooLarge
  /// The task was cancelled.
  case cancelled
}
