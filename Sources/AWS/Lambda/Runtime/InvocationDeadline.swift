import HTTP
import Primitives
import Synchronization

/// Until when the work on the present invocation has to be done. One invocation at a time, so one moment.
package final class InvocationDeadline: Sendable {
  /// What the answer itself takes, and what a clock may be off.
  package static let margin: Duration = .milliseconds(500)

  private let moment = Mutex<Timestamp?>(nil)

  /// No deadline yet.
  package init() {}

  /// An invocation has begun that the platform ends at `moment`.
  package func begin(_ moment: Timestamp) { self.moment.withLock { $0 = moment - Self.margin } }

  /// The present invocation's caller does not wait beyond `moment`.
  package func shorten(to moment: Timestamp) {
    self.moment.withLock { $0 = $0.map { min($0, moment) } ?? moment }
  }

  /// There is no invocation.
  package func end() { moment.withLock { $0 = nil } }

  /// The moment; nil between invocations and at the start of the process.
  package var current: Timestamp? { moment.withLock { $0 } }

  /// How long there is after `now`; nil without a deadline.
  package func remaining(at now: Timestamp) -> Duration? { current.map { $0 - now } }

  /// `time`, whose sleeps end with the deadline at the latest: whoever waits beyond it hears so in time.
  package func limiting(_ time: TimeSource) -> TimeSource {
    TimeSource(
      now: time.now,
      sleep: { duration in
        let remaining = self.remaining(at: time.now()) ?? duration
        try await time.sleep(max(.zero, min(duration, remaining)))
      })
  }

  /// `client`, whose requests end `reserve` before the deadline: what has to follow them gets that time.
  package func limiting(_ client: any HTTPClient, reserve: Duration, time: TimeSource) -> some HTTPClient {
    DeadlineHTTPClient(inner: client, deadline: self, reserve: reserve, time: time)
  }
}

/// Sends no request that could end after the deadline.
private struct DeadlineHTTPClient: HTTPClient {
  let inner: any HTTPClient
  let deadline: InvocationDeadline
  let reserve: Duration
  let time: TimeSource

  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    var request = request
    if let remaining = deadline.remaining(at: time.now()) {
      guard remaining > reserve else { throw .unreachable }
      request.timeout = min(request.timeout, remaining - reserve)
    }
    return try await inner.send(request)
  }
}
