/// How often and how long a call is tried.
package struct RetryPolicy: Sendable {
  /// How many requests a call makes at most.
  package var maximumAttempts = 4
  /// How long one request may take.
  package var attemptTimeout: Duration = .seconds(4)
  /// How long the call may take, its pauses included.
  package var callTimeout: Duration = .seconds(12)
  /// The longest pause before the second attempt; each further one may be twice as long.
  package var firstPause: Duration = .milliseconds(50)
  /// The same after a throttled request, which needs more air.
  package var firstPauseWhenThrottled: Duration = .milliseconds(200)
  /// The longest pause.
  package var longestPause: Duration = .seconds(3)

  /// The defaults.
  package init() {}

  /// Full jitter: anything from nothing to the limit, which `unit` (0 up to 1) picks, so that many callers do not
  /// come back together (AWS Architecture Blog, "Exponential Backoff And Jitter").
  func pause(afterAttempt attempt: Int, throttled: Bool, unit: Double) -> Duration {
    let first = throttled ? firstPauseWhenThrottled : firstPause
    return min(longestPause, first * (1 << min(attempt - 1, 20))) * unit
  }
}
