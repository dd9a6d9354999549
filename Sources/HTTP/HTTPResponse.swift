/// One response. `Content-Length`, `Date` and `Connection` are the transport's to write.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The header fields, in order.
  public var fields: HTTPFields
  /// The whole body.
  public var body: [UInt8]
  /// The template of the route that answered (`/v1/invoices/{id}`), for the log; never sent.
  public var route: String?

  /// A response.
  public init(status: Int, fields: HTTPFields = [:], body: [UInt8] = [], route: String? = nil) {
    self.status = status
    self.fields = fields
    self.body = body
    self.route = route
  }

  /// A response with a JSON body.
  public static func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": "application/json"], body: body)
  }
}
