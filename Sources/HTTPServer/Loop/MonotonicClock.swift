import Glibc

/// Time that only goes forward, for deadlines and durations.
enum MonotonicClock {
  /// Microseconds since some fixed moment.
  static func now() -> Int64 {
    var moment = timespec()
    clock_gettime(CLOCK_MONOTONIC, &moment)
    return Int64(moment.tv_sec) * 1_000_000 + Int64(moment.tv_nsec) / 1000
  }
}
