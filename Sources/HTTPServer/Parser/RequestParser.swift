import HTTP

/// Reads one request out of bytes as they come: bytes in, values out. The next request takes a new parser.
///
/// It goes by whole lines, so the result is the same however the bytes were cut on their way. A caller
/// keeps what was not taken and gives it again with more behind it; that is never over a limit.
struct RequestParser {
  /// What came of the bytes given.
  enum Event {
    /// The request is not complete.
    case needMore
    /// The peer waits for `100 Continue` before it sends the body.
    case expectContinue
    /// The request is complete; what follows belongs to the next.
    case request(HTTPRequest, keepsAlive: Bool, isVersion11: Bool)
    /// Nothing more is to be taken from this connection; the method, if that much could be read.
    case refuse(Refusal, method: HTTPMethod?)
  }

  private enum Phase {
    case requestLine(afterEmptyLine: Bool)
    case fields(RequestLine)
    case body(left: Int)
    case chunked(ChunkedDecoder)
  }

  private let limits: HTTPServerLimits
  private var phase = Phase.requestLine(afterEmptyLine: false)
  private var headBytes = 0
  private var framing = MessageFraming()
  private var fields: [HTTPFields.Field] = []
  private var head: RequestLine?
  private var body: [UInt8] = []

  init(limits: HTTPServerLimits) { self.limits = limits }

  /// The method, once it is known.
  var method: HTTPMethod? { head?.method }

  /// Whether the request line has been taken.
  var hasBegun: Bool { head != nil }

  /// Takes from `bytes` what belongs to this request and can be read; `taken` says how many they were.
  mutating func consume(_ bytes: Span<UInt8>) -> (taken: Int, event: Event) {
    var position = 0
    do throws(Refusal) {
      let event = try consume(bytes, &position)
      return (position, event)
    } catch {
      return (position, .refuse(error, method: method))
    }
  }

  private mutating func consume(_ bytes: Span<UInt8>, _ position: inout Int) throws(Refusal) -> Event {
    while true {
      switch phase {
      case .requestLine(let afterEmptyLine):
        guard try takeRequestLine(bytes, &position, afterEmptyLine) else { return .needMore }
      case .fields(let line):
        guard let isEnd = try takeFieldLine(bytes, &position) else { return .needMore }
        if isEnd, let event = try endHead(line, moreFollows: position < bytes.count) { return event }
      case .body(let left):
        let end = position + min(left, bytes.count - position)
        body.append(bytes, position..<end)
        phase = .body(left: left - (end - position))
        guard left == end - position else {
          position = end
          return .needMore
        }
        position = end
        return complete()
      case .chunked(var decoder):
        let isComplete = try decoder.decode(bytes, &position, into: &body, limits: limits)
        phase = .chunked(decoder)
        return isComplete ? complete() : .needMore
      }
    }
  }

  /// One empty line before a request is let pass (RFC 9112 section 2.2). A first byte that no method
  /// begins with is refused at once: a TLS greeting would wait for its line's end forever.
  private mutating func takeRequestLine(
    _ bytes: Span<UInt8>, _ position: inout Int, _ afterEmptyLine: Bool
  ) throws(Refusal) -> Bool {
    guard position < bytes.count else { return false }
    let first = bytes[position]
    guard first.isToken || first == .carriageReturn && !afterEmptyLine else { throw .malformed }
    let limit = limits.targetBytes + RequestLine.overhead
    guard let range = try bytes.line(from: position, limit: limit, tooLong: .targetTooLong) else {
      return false
    }
    position = range.upperBound + 2
    if range.isEmpty {
      phase = .requestLine(afterEmptyLine: true)
      return true
    }
    let line = try RequestLine(parsing: bytes.extracting(range), targetLimit: limits.targetBytes)
    headBytes = range.count + 2
    head = line
    phase = .fields(line)
    fields.reserveCapacity(8)
    return true
  }

  /// Whether the line was the empty one that ends the head; nil while it is not complete.
  private mutating func takeFieldLine(_ bytes: Span<UInt8>, _ position: inout Int) throws(Refusal) -> Bool? {
    let room = max(0, limits.headerBytes - headBytes)
    guard let range = try bytes.line(from: position, limit: room, tooLong: .headTooLarge) else { return nil }
    position = range.upperBound + 2
    if range.isEmpty { return true }
    headBytes += range.count + 2
    guard fields.count < limits.fieldLines else { throw .headTooLarge }
    let field = try HTTPFields.Field(parsing: bytes.extracting(range))
    try framing.note(field)
    fields.append(field)
    return false
  }

  private mutating func endHead(_ line: RequestLine, moreFollows: Bool) throws(Refusal) -> Event? {
    try framing.check(isVersion11: line.isVersion11, bodyLimit: limits.bodyBytes)
    if framing.isChunked {
      phase = .chunked(ChunkedDecoder())
    } else if let length = framing.contentLength, length > 0 {
      body.reserveCapacity(length)
      phase = .body(left: length)
    } else {
      return complete()
    }
    return framing.expectsContinue && line.isVersion11 && !moreFollows ? .expectContinue : nil
  }

  private mutating func complete() -> Event {
    guard let head else { return .refuse(.malformed, method: nil) }
    var fields = HTTPFields(fields)
    if let authority = head.target.authority { fields["Host"] = authority }
    let request = HTTPRequest(
      method: head.method, path: head.target.path, query: head.target.query, fields: fields, body: body)
    let keepsAlive = framing.keepsAlive(isVersion11: head.isVersion11)
    return .request(request, keepsAlive: keepsAlive, isVersion11: head.isVersion11)
  }
}
