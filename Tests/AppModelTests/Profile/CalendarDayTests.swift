import Testing

@testable import AppModel

@Suite("A day of the calendar")
struct CalendarDayTests {
  @Test(
    "is read from a time and from an older server's date", arguments: ["2024-11-01T10:00:00Z", "2024-11-01"])
  func read(text: String) throws {
    let day = try #require(CalendarDay(iso8601: text))
    #expect((day.year, day.month, day.day) == (2024, 11, 1))
  }

  @Test(
    "is nil where there is none",
    arguments: [
      "", "yesterday", "2024-13-01", "2024-00-10", "2024-1-1", "20241101", "2024-11-32", "-024-11-01",
      "2024-11",
    ])
  func none(text: String) { #expect(CalendarDay(iso8601: text) == nil) }
}
