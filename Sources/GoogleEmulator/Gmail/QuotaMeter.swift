import Primitives

/// Quota units that each account used in the present minute.
struct QuotaMeter: Sendable {
  private var used: [String: (minute: Int64, units: Int64)] = [:]

  /// Takes `units`; when that is more than `limit` a minute it takes none and says when the next begins.
  mutating func take(_ units: Int64, sub: String, limit: Int64, at now: Timestamp) -> Timestamp? {
    let minute = now.seconds / 60
    var current = used[sub] ?? (minute, 0)
    if current.minute != minute { current = (minute, 0) }
    guard current.units + units <= limit else { return Timestamp(seconds: (minute + 1) * 60) }
    current.units += units
    used[sub] = current
    return nil
  }
}
