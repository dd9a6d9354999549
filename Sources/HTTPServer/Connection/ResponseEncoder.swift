import Glibc
import HTTP

/// Writes responses as bytes into one buffer that is used again and again.
struct ResponseEncoder {
  /// The response last encoded.
  private(set) var bytes: [UInt8] = []
  private static let keptCapacity = 65_536
  private var date: [UInt8] = []
  private var dateSecond: time_t = -1

  /// Encodes `response` to `exchange`.
  mutating func encode(_ response: HTTPResponse, to exchange: Exchange, keepsAlive: Bool) {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
    append("HTTP/1.1 ")
    append(response.status)
    append(" ")
    append(Self.reason(response.status))
    for field in response.fields where !Self.isOwn(field.name) { append(field.name, field.value) }
    let hasBody = response.status != 204 && response.status != 304
    if hasBody {
      append("\r\nContent-Length: ")
      append(response.body.count)
    }
    appendDate()
    append("X-Request-Id", exchange.id)
    if !keepsAlive {
      append("\r\nConnection: close")
    } else if !exchange.isVersion11 {
      append("\r\nConnection: keep-alive")
    }
    append("\r\n\r\n")
    if hasBody, exchange.method != .head { bytes.append(contentsOf: response.body) }
  }

  /// Fields that the transport writes itself, whatever a responder says.
  private static func isOwn(_ name: String) -> Bool {
    switch name.utf8.count {
    case 4: name.equalsIgnoringASCIICase("Date")
    case 10: name.equalsIgnoringASCIICase("Connection")
    case 12: name.equalsIgnoringASCIICase("X-Request-Id")
    case 14: name.equalsIgnoringASCIICase("Content-Length")
    case 17: name.equalsIgnoringASCIICase("Transfer-Encoding")
    default: false
    }
  }

  private mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ number: Int) {
    if number >= 10 { append(number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  /// A field on its line. A control byte would begin a line of its own, so it becomes a space (RFC 9110
  /// section 5.5); a name that is no token is left out.
  private mutating func append(_ name: String, _ value: String) {
    var (name, value) = (name, value)
    guard !name.isEmpty, name.withUTF8({ $0.allSatisfy { $0.isToken } }) else { return }
    append("\r\n")
    name.withUTF8 { bytes.append(contentsOf: $0) }
    append(": ")
    value.withUTF8 { value in
      let start = bytes.count
      bytes.append(contentsOf: value)
      for (index, byte) in value.enumerated() where !byte.isFieldValue { bytes[start + index] = .space }
    }
  }

  /// `Date` (RFC 9110 section 6.6.1), formatted once a second.
  private mutating func appendDate() {
    var second = time(nil)
    if second != dateSecond {
      dateSecond = second
      var parts = tm()
      gmtime_r(&second, &parts)
      date = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
        let count = strftime(text.baseAddress, text.count, "\r\nDate: %a, %d %b %Y %H:%M:%S GMT", &parts)
        return text.prefix(count).map { UInt8(bitPattern: $0) }
      }
    }
    bytes.append(contentsOf: date)
  }
}

extension ResponseEncoder {
  /// The reason phrase (RFC 9110 section 15); empty for a status it does not define.
  static func reason(_ status: Int) -> StaticString {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}
