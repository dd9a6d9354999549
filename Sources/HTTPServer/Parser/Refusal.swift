/// Why the parser takes no more from a connection: the status to answer before closing it.
struct Refusal: Error, Equatable {
  /// The status code.
  let status: Int

  /// Not HTTP/1.1, or HTTP that two readers could understand differently.
  static let malformed = Refusal(status: 400)
  /// The body is over its limit.
  static let bodyTooLarge = Refusal(status: 413)
  /// The target is over its limit.
  static let targetTooLong = Refusal(status: 414)
  /// `Expect` asks for something other than `100-continue`.
  static let unknownExpectation = Refusal(status: 417)
  /// The head or the trailers are over their limits.
  static let headTooLarge = Refusal(status: 431)
  /// A transfer coding other than `chunked`.
  static let unknownCoding = Refusal(status: 501)
  /// A version other than HTTP/1.0 and HTTP/1.1.
  static let unknownVersion = Refusal(status: 505)
}
