import HTTP
import Primitives

/// How often and how long a call that may be repeated is repeated. Backoff doubles and is jittered, so that
/// many devices do not come back at once.
public struct RetryPolicy: Sendable {
  /// How many times to send, the first one included.
  public var attempts: Int
  /// The wait before the second attempt when the server names none.
  public var firstDelay: Duration
  /// The longest wait; a `Retry-After` beyond it ends the attempts.
  public var longestDelay: Duration

  /// A policy.
  public init(
    attempts: Int = 3, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(10)
  ) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
  }

  /// How long to wait before attempt number `next` (2 is the first repetition); nil when there is to be none.
  func delay(before next: Int, retryAfter: Int?, random: RandomSource) -> Duration? {
    guard next <= attempts else { return nil }
    if let retryAfter {
      let asked = Duration.seconds(retryAfter)
      return asked <= longestDelay ? asked : nil
    }
    let doubled = firstDelay * (1 << min(next - 2, 16))
    return min(doubled, longestDelay) * (0.5 + random.unit() / 2)
  }

  /// The `Retry-After` of a reply in seconds; the date form, which PayPulse and Google do not send, counts as none.
  static func retryAfter(of response: HTTPResponse) -> Int? {
    response.fields["Retry-After"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension HTTPClientError {
  /// Whether a request that may be repeated can hope for better luck.
  var isPassing: Bool {
    switch self {
    case .unreachable, .timedOut, .connectionLost: true
    case .invalidURL, .responseTooLarge, .cancelled: false
    }
  }
}
