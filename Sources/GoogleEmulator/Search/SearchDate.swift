import Primitives

/// The date operators. A day is midnight Pacific time; a bare number is seconds since 1970, so one in
/// milliseconds lies far in the future (Gmail API, "Searching for messages").
struct SearchDate: Sendable {
  private let isLower: Bool
  /// Milliseconds since 1970: the first that `after` takes, the first that `before` does not.
  private let limit: Int64

  /// Nil when `value` is no date or span.
  init?(name: String, value: String, now: Timestamp) {
    isLower = ["after", "newer", "newer_than"].contains(name)
    let seconds =
      name.hasSuffix("_than")
      ? Self.span(value).map { now.seconds - $0 } : Self.day(value) ?? Self.epoch(value)
    guard let seconds else { return nil }
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    limit = overflow ? .max : milliseconds
  }

  /// Whether a message of this date is on the right side.
  func holds(_ internalDate: Int64) -> Bool { isLower ? internalDate >= limit : internalDate < limit }

  /// `YYYY/MM/DD`, `MM/DD/YYYY`, either with hyphens.
  private static func day(_ text: String) -> Int64? {
    let parts = text.split(whereSeparator: { $0 == "/" || $0 == "-" || $0 == "." }).map { Int($0) }
    guard parts.count == 3, let first = parts[0], let second = parts[1], let third = parts[2] else {
      return nil
    }
    let day =
      first > 31
      ? CalendarDay(year: first, month: second, day: third)
      : CalendarDay(year: third, month: first, day: second)
    return day?.pacificMidnight
  }

  private static func epoch(_ text: String) -> Int64? {
    text.allSatisfy({ $0.isASCII && $0.isNumber }) ? Int64(text) : nil
  }

  /// `3d`, `2m`, `1y`, `12h` in seconds; a month has 30 days and a year 365.
  private static func span(_ text: String) -> Int64? {
    guard let unit = text.last?.lowercased(), let count = Int64(text.dropLast()),
      (0..<100_000).contains(count)
    else {
      return nil
    }
    let days: Int64? = ["d": 1, "m": 30, "y": 365][unit]
    return unit == "h" ? count * 3600 : days.map { $0 * count * 86_400 }
  }
}
