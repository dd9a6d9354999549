import HTTP

/// One request on its way, and the reply as far as it came.
///
/// Unchecked: its state belongs to the loop's thread. Other threads only make it and pass it on.
final class Transfer: @unchecked Sendable {
  typealias Completion = @Sendable (Result<HTTPResponse, HTTPClientError>) -> Void

  /// More header bytes than this are too many.
  private static let maximumHeaderSize = 64 << 10

  let request: HTTPClientRequest
  let deadline: ContinuousClock.Instant

  /// Told once how it ended; set when the transfer is submitted.
  var completion: Completion?
  /// What it runs on while it runs.
  var handle: EasyHandle?
  /// Set when the task was cancelled before the transfer began.
  var isCancelled = false

  private var header = ResponseHeader()
  private var headerSize = 0
  private var body: [UInt8] = []
  /// Whether the reply grew over a limit.
  private(set) var isTooLarge = false

  init(_ request: HTTPClientRequest) {
    self.request = request
    deadline = .now + request.timeout
  }

  /// Reports how it ended, the first time it is called.
  func complete(_ result: Result<HTTPResponse, HTTPClientError>) {
    completion?(result)
    completion = nil
  }

  /// The reply, all of it received.
  func response(status: Int) -> HTTPResponse {
    HTTPResponse(status: status, fields: HTTPFields(header.fields), body: body)
  }

  /// Takes one line of a header or trailer; false when there are too many.
  func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    headerSize += line.count
    isTooLarge = isTooLarge || headerSize > Self.maximumHeaderSize
    if !isTooLarge { header.receive(line) }
    return !isTooLarge
  }

  /// Takes a piece of the body; false when it is too large.
  func receive(body piece: UnsafeRawBufferPointer) -> Bool {
    isTooLarge = isTooLarge || piece.count > request.maximumBodySize - body.count
    if !isTooLarge { body.append(contentsOf: piece) }
    return !isTooLarge
  }

  /// Whether the request may be written now. libcurl repeats any request when a kept connection turns out to be
  /// closed; one that is not idempotent must not leave twice.
  var mayBeSent: Bool { request.method.isIdempotent || handle?.requestWasSent != true }
}
