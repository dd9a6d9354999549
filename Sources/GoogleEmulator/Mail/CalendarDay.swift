/// A day of the Gregorian calendar, for dates in mail and in searches.
struct CalendarDay: Sendable, Hashable {
  let year: Int
  let month: Int
  let day: Int

  /// Nil for a day that does not exist.
  init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(ofMonth: month, in: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days since 1970-01-01.
  var dayNumber: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// 0 for Sunday.
  var weekday: Int { ((dayNumber + 4) % 7 + 7) % 7 }

  /// Seconds since 1970 when this day begins in California.
  ///
  /// Daylight saving time begins and ends at 2 in the morning, so at midnight of a change the old time still
  /// holds: from the second Sunday of March to the first of November (since 2007), before that from the
  /// first Sunday of April to the last of October.
  var pacificMidnight: Int64 {
    let first = year >= 2007 ? nthSunday(2, of: 3) : nthSunday(1, of: 4)
    let last = year >= 2007 ? nthSunday(1, of: 11) : lastSunday(of: 10)
    let isSummer = dayNumber > first && dayNumber <= last
    return Int64(dayNumber) * 86_400 + (isSummer ? 7 : 8) * 3600
  }

  private func nthSunday(_ number: Int, of month: Int) -> Int {
    guard let first = CalendarDay(year: year, month: month, day: 1) else { return 0 }
    return first.dayNumber + (7 - first.weekday) % 7 + (number - 1) * 7
  }

  private func lastSunday(of month: Int) -> Int {
    let last = CalendarDay(year: year, month: month, day: Self.length(ofMonth: month, in: year))
    return (last?.dayNumber ?? 0) - (last?.weekday ?? 0)
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
