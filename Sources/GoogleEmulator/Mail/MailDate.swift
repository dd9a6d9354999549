import Primitives

/// Dates in mail headers (RFC 5322 section 3.3, obsolete forms of section 4.3 included).
enum MailDate {
  /// The moment that `text` names; nil when it is no date.
  static func parse(_ text: String) -> Timestamp? {
    var words = withoutComments(text).split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
    if let first = words.first, first.first?.isLetter == true { words.removeFirst() }
    guard words.count >= 4, let day = Int(words[0]), let month = month(words[1]), let year = year(words[2]),
      let date = CalendarDay(year: year, month: month, day: day), let clock = seconds(words[3])
    else { return nil }
    let offset = words.count > 4 ? offset(words[4]) : 0
    return Timestamp(seconds: Int64(date.dayNumber) * 86_400 + clock - offset)
  }

  private static func withoutComments(_ text: String) -> String {
    var depth = 0
    return text.filter { character in
      if character == "(" { depth += 1 }
      defer { if character == ")", depth > 0 { depth -= 1 } }
      return depth == 0 && character != ")"
    }
  }

  private static func month(_ name: String) -> Int? {
    let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    return names.firstIndex(of: String(name.lowercased().prefix(3))).map { $0 + 1 }
  }

  private static func year(_ text: String) -> Int? {
    guard let number = Int(text) else { return nil }
    return text.count > 2
      ? (text.count == 3 ? 1900 + number : number) : number < 50 ? 2000 + number : 1900 + number
  }

  private static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: ":").map { Int64($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count > 2 ? parts[2] : 0, (0..<24).contains(hour), (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// Seconds east of UTC; an unknown zone counts as UTC.
  private static func offset(_ zone: String) -> Int64 {
    let american: [String: Int64] = [
      "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    ]
    if let hours = american[zone.uppercased()] { return hours * 3600 }
    guard let sign = zone.first, "+-".contains(sign), zone.count == 5, let digits = Int64(zone.dropFirst())
    else {
      return 0
    }
    return (digits / 100 * 3600 + digits % 100 * 60) * (sign == "-" ? -1 : 1)
  }
}
