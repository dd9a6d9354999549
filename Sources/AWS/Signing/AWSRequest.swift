import HTTP

/// A request that ``RequestSigner`` writes and signs. Path and query are what they mean, not what they look like on
/// the wire: the signer encodes them once, so that what is sent is what was signed.
package struct AWSRequest: Sendable {
  /// The method.
  package var method: HTTPMethod
  /// Where it goes.
  package var endpoint: ServiceEndpoint
  /// The path below the endpoint's, decoded; begins with `/`.
  package var path: String
  /// The query's parameters, decoded, in any order.
  package var query: [(name: String, value: String)]
  /// Fields of the caller's; all are signed but those that a transport may change.
  package var fields: HTTPFields
  /// The body.
  package var body: [UInt8]
  /// How long all of it may take.
  package var timeout: Duration
  /// The largest reply body accepted, in bytes: DynamoDB's largest reply (16 MB), and some room.
  package var maximumBodySize = 17 << 20

  /// A request.
  package init(
    method: HTTPMethod = .post, endpoint: ServiceEndpoint, path: String = "/",
    query: [(name: String, value: String)] = [], fields: HTTPFields = [:], body: [UInt8] = [],
    timeout: Duration = .seconds(10)
  ) {
    self.method = method
    self.endpoint = endpoint
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
    self.timeout = timeout
  }
}
