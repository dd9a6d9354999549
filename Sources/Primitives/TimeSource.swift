#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What time it is and how to wait, given by `init` so that a test owns both.
public struct TimeSource: Sendable {
  /// The present moment.
  public let now: @Sendable () -> Timestamp
  /// Waits that long; throws only when the task is cancelled.
  public let sleep: @Sendable (Duration) async throws -> Void

  /// A source of the caller's own.
  public init(
    now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.now = now
    self.sleep = sleep
  }

  /// The machine's clock.
  public static let system = TimeSource(
    now: {
      var moment = timespec()
      clock_gettime(CLOCK_REALTIME, &moment)
      return Timestamp(microseconds: Int64(moment.tv_sec) * 1_000_000 + Int64(moment.tv_nsec) / 1000)
    },
    sleep: { try await Task.sleep(for: $0) })
}
