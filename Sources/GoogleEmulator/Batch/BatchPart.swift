import HTTP
import Primitives

/// One call inside a batch: an HTTP request as the body of a part of type `application/http`.
struct BatchPart {
  /// The part's `Content-ID`; nil without one.
  let contentID: String?
  /// The inner request, with the outer one's credentials where it has none; nil when it cannot be read.
  let request: HTTPRequest?

  /// The calls in a batch, in order.
  static func parts(of outer: HTTPRequest, boundary: String) -> [BatchPart] {
    MIMEParser.pieces(of: outer.body[...], boundary: boundary).map { piece in
      var text = piece
      let headers = MailHeaders(parsing: &text)
      return BatchPart(contentID: headers["Content-ID"], request: inner(text, outer))
    }
  }

  private static func inner(_ text: ArraySlice<UInt8>, _ outer: HTTPRequest) -> HTTPRequest? {
    var rest = text.drop { $0 == 0x0D || $0 == 0x0A }
    guard let line = MailLines(rest).first(where: { _ in true }) else { return nil }
    rest = rest[line.ending.endIndex...]
    let words = String(decoding: line.content, as: UTF8.self).split(separator: " ")
    guard words.count >= 2 else { return nil }
    let target = path(words[1])
    guard target.hasPrefix("/") else { return nil }
    var fields = HTTPFields(MailHeaders(parsing: &rest).fields.map { .init(name: $0.name, value: $0.value) })
    if fields["Authorization"] == nil { fields["Authorization"] = outer.fields["Authorization"] }
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return HTTPRequest(
      method: HTTPMethod(rawValue: String(words[0])), path: String(halves[0]),
      query: halves.count > 1 ? String(halves[1]) : nil, fields: fields, body: Array(rest), peer: outer.peer,
      id: outer.id)
  }

  /// The path of a target that may be a whole address.
  private static func path(_ target: Substring) -> Substring {
    guard let authority = target.firstRange(of: "://") else { return target }
    return target[authority.upperBound...].drop { $0 != "/" }
  }

  /// The `Content-ID` of the answer: the call's with `response-` before it.
  func responseID(number: Int) -> String {
    guard let contentID else { return "<response-\(number)>" }
    let bare =
      contentID.hasPrefix("<") && contentID.hasSuffix(">") ? contentID.dropFirst().dropLast() : contentID[...]
    return "<response-\(bare)>"
  }

  /// An answer as a part of the reply.
  static func encode(_ response: HTTPResponse, contentID: String) -> [UInt8] {
    let status = response.status == 0 ? 503 : response.status
    var head = "Content-Type: application/http\r\nContent-ID: \(contentID)\r\n\r\n"
    head += "HTTP/1.1 \(status) \(reason(status))\r\n"
    for field in response.fields { head += "\(field.name): \(field.value)\r\n" }
    head += "Content-Length: \(response.body.count)\r\n\r\n"
    return Array(head.utf8) + response.body + Array("\r\n".utf8)
  }

  private static func reason(_ status: Int) -> String {
    let reasons = [
      200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
      429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
      504: "Gateway Timeout",
    ]
    return reasons[status] ?? "Status"
  }
}
