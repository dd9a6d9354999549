#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A moment in UTC, to the microsecond.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// A moment by its microseconds since 1970.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// A moment by its whole seconds since 1970 (a JWT's NumericDate, RFC 7519 section 2).
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    microseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 { microseconds.floorDivided(by: 1_000_000) }

  /// Whether `left` is before `right`.
  public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

  /// The moment `duration` later; stays at the end of time rather than overflow.
  public static func + (moment: Self, duration: Duration) -> Self {
    let (sum, overflow) = moment.microseconds.addingReportingOverflow(duration.microseconds)
    return Self(microseconds: overflow ? (duration < .zero ? .min : .max) : sum)
  }

  /// The moment `duration` earlier.
  public static func - (moment: Self, duration: Duration) -> Self { moment + (.zero - duration) }

  /// How long after `earlier` this is; negative when it is before.
  public static func - (later: Self, earlier: Self) -> Duration {
    let (difference, overflow) = later.microseconds.subtractingReportingOverflow(earlier.microseconds)
    return .microseconds(overflow ? (later < earlier ? .min : .max) : difference)
  }
}

extension Duration {
  /// The whole microseconds in it, capped at what an `Int64` holds.
  public var microseconds: Int64 {
    let (whole, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return components.seconds < 0 ? .min : .max }
    let (sum, overflows) = whole.addingReportingOverflow(components.attoseconds / 1_000_000_000_000)
    return overflows ? (whole < 0 ? .min : .max) : sum
  }
}

extension Int64 {
  fileprivate func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

// MARK: - ISO 8601

extension Timestamp {
  /// `2024-11-01T10:00:00Z`: ISO 8601 in UTC, to the second.
  public var iso8601: String { text(fraction: 0, end: "Z") }

  /// `2025-09-19T02:03:10.123456`: Python's `isoformat()` of a naive UTC time. The fraction has six
  /// digits and is left out when it is zero.
  public var naiveISO8601: String { text(fraction: Int(microseconds - seconds * 1_000_000), end: nil) }

  /// Every log line and profile holds times, so they are written in place and without a detour over strings.
  private func text(fraction: Int, end: Unicode.Scalar?) -> String {
    let days = seconds.floorDivided(by: 86_400)
    let second = Int(seconds - days * 86_400)
    let (year, month, day) = Self.date(daysSince1970: Int(days))
    let hasFourDigits = (0...9999).contains(year)
    let text = String(unsafeUninitializedCapacity: 32) { buffer in
      var digits = Digits(buffer: buffer)
      if hasFourDigits { digits.append(year / 100, year % 100) }
      digits.append("-", month)
      digits.append("-", day)
      digits.append("T", second / 3600)
      digits.append(":", second / 60 % 60)
      digits.append(":", second % 60)
      if fraction != 0 {
        digits.append(".", fraction / 10_000)
        digits.append(fraction / 100 % 100, fraction % 100)
      }
      if let end { digits.append(end) }
      return digits.count
    }
    return hasFourDigits ? text : String(year) + text
  }

  /// The date of a day in the Gregorian calendar, which repeats itself every 400 years of 146,097 days. Years are
  /// counted from March here, so that the leap day is a year's last. The system's `gmtime` locks the time zone.
  private static func date(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    // From 0000-03-01.
    let day = daysSince1970 + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// Writes numbers of two digits one after another.
  private struct Digits {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func append(_ character: Unicode.Scalar) {
      buffer[count] = UInt8(ascii: character)
      count += 1
    }

    mutating func append(_ separator: Unicode.Scalar, _ number: Int) {
      append(separator)
      append(number)
    }

    mutating func append(_ first: Int, _ second: Int) {
      append(first)
      append(second)
    }

    private mutating func append(_ number: Int) {
      buffer[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
      buffer[count + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
      count += 2
    }
  }

  /// Reads both forms above, any fraction, and an offset; a time without one is UTC. Nil when it is neither.
  public init?(iso8601 text: String) {
    // Bytes, not characters: finding those would take longer than opening the secret that the time stands in.
    var rest = Substring(text).utf8
    guard let year = rest.number(4), rest.skip("-"), let month = rest.number(2), rest.skip("-"),
      let day = rest.number(2), rest.skip("T") || rest.skip(" "), let hour = rest.number(2), rest.skip(":"),
      let minute = rest.number(2), rest.skip(":"), let second = rest.number(2)
    else { return nil }
    guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61 else {
      return nil
    }
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month - 1)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_sec = Int32(min(second, 59))
    guard let fraction = rest.fraction(), let offset = rest.offset(), rest.isEmpty else { return nil }
    let seconds = Int64(timegm(&parts))
    // `timegm` carries a 30 February over into March.
    guard parts.tm_mday == Int32(day) else { return nil }
    let leap: Int64 = second == 60 ? 1 : 0
    self.init(microseconds: (seconds + leap - offset) * 1_000_000 + fraction)
  }
}

extension Substring.UTF8View {
  fileprivate mutating func number(_ width: Int) -> Int? {
    var number = 0
    for _ in 0..<width {
      guard let byte = first, byte >= 0x30, byte <= 0x39 else { return nil }
      number = number * 10 + Int(byte - 0x30)
      removeFirst()
    }
    return number
  }

  fileprivate mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    removeFirst()
    return true
  }

  /// Microseconds after a point, 0 without one.
  fileprivate mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    var (microseconds, unit) = (Int64(0), Int64(100_000))
    guard let first = number(1) else { return nil }
    microseconds = Int64(first) * unit
    while let digit = number(1) {
      unit /= 10
      microseconds += Int64(digit) * unit
    }
    return microseconds
  }

  /// Seconds east of UTC; 0 for `Z` and for no offset at all.
  fileprivate mutating func offset() -> Int64? {
    if isEmpty || skip("Z") { return 0 }
    let east = skip("+")
    guard east || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return Int64(hours * 3600 + minutes * 60) * (east ? 1 : -1)
  }
}
