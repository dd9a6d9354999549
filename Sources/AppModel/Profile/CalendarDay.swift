/// A day of the calendar, without a time or a time zone: the app writes it in the person's language.
public struct CalendarDay: Sendable, Hashable {
  /// The year.
  public let year: Int
  /// The month, from 1.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int

  /// The day at the start of an ISO 8601 date or time; nil when there is none. Older servers give the date alone.
  init?(iso8601 text: String) {
    let digits = text.utf8.prefix(10).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard digits.count == 3, digits.map(\.count) == [4, 2, 2] else { return nil }
    let numbers = digits.compactMap { part in
      part.allSatisfy { (48...57).contains($0) } ? Int(String(decoding: part, as: UTF8.self)) : nil
    }
    guard numbers.count == 3, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
    (year, month, day) = (numbers[0], numbers[1], numbers[2])
  }
}
