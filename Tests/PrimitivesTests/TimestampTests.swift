import Primitives
import Testing

@Suite("Timestamp")
struct TimestampTests {
  @Test(
    "Both ISO forms, to the second and naive to the microsecond",
    arguments: [
      (Int64(0), "1970-01-01T00:00:00Z", "1970-01-01T00:00:00"),
      (1_758_247_390_123_456, "2025-09-19T02:03:10Z", "2025-09-19T02:03:10.123456"),
      (1_709_164_800_000_001, "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000001"),
      (951_782_400_000_000, "2000-02-29T00:00:00Z", "2000-02-29T00:00:00"),
      (-1, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999999"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999"),
      (-62_135_596_800_000_000, "0001-01-01T00:00:00Z", "0001-01-01T00:00:00"),
    ])
  func forms(microseconds: Int64, utc: String, naive: String) {
    let moment = Timestamp(microseconds: microseconds)
    #expect(moment.iso8601 == utc)
    #expect(moment.naiveISO8601 == naive)
    #expect(Timestamp(iso8601: naive) == moment)
    #expect(Timestamp(iso8601: utc) == Timestamp(seconds: moment.seconds))
  }

  @Test(
    "Other ways to write a moment",
    arguments: [
      ("2025-09-19 02:03:10", Int64(1_758_247_390_000_000)),
      ("2025-09-19T02:03:10.5Z", 1_758_247_390_500_000),
      ("2025-09-19T02:03:10.123456789Z", 1_758_247_390_123_456),
      ("2025-09-19T04:33:10+02:30", 1_758_247_390_000_000),
      ("2025-09-19T04:33:10+0230", 1_758_247_390_000_000),
      ("2025-09-18T23:03:10-03:00", 1_758_247_390_000_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
    ])
  func reads(text: String, microseconds: Int64) {
    #expect(Timestamp(iso8601: text) == Timestamp(microseconds: microseconds))
  }

  @Test(
    "What is no moment",
    arguments: [
      "", "2025", "2025-09-19", "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z", "2025-01-32T00:00:00Z",
      "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "2025-04-31T00:00:00Z",
      "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z", "2025-01-01T00:00:61Z", "2025-01-01T00:00:00.Z",
      "2025-01-01T00:00:00+25:00", "2025-01-01T00:00:00+01:60", "2025-01-01T00:00:00Zjunk",
      "2025-1-01T00:00:00Z",
      "٢٠٢٥-01-01T00:00:00Z", "2025-01-01T00:00:00.٣Z", "-025-01-01T00:00:00Z", " 2025-01-01T00:00:00Z",
    ])
  func refuses(text: String) { #expect(Timestamp(iso8601: text) == nil) }

  @Test("Whole seconds round down")
  func seconds() {
    #expect(Timestamp(microseconds: 1_999_999).seconds == 1)
    #expect(Timestamp(microseconds: -1).seconds == -1)
    #expect(Timestamp(microseconds: -1_000_000).seconds == -1)
    #expect(Timestamp(seconds: 7).microseconds == 7_000_000)
  }

  @Test("F6: arithmetic stays at the ends of time rather than overflow")
  func saturates() {
    let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
    #expect(Timestamp(seconds: .max) == last && Timestamp(seconds: .min) == first)
    #expect(last + .seconds(1) == last && first - .seconds(1) == first)
    #expect(Timestamp(seconds: 0) + .seconds(Int64.max) == last)
    #expect(Timestamp(seconds: 0) - .seconds(Int64.max) == first)
    #expect(last - first == .microseconds(Int64.max))
    #expect(first - last == .microseconds(Int64.min))
    #expect(Timestamp(seconds: 0) + .seconds(2_147_483_648) == Timestamp(seconds: 2_147_483_648))
  }

  @Test("F6: a duration's microseconds stay at the ends too")
  func durations() {
    #expect(Duration.seconds(1).microseconds == 1_000_000)
    #expect(Duration.nanoseconds(-1500).microseconds == -1)
    #expect(Duration.seconds(Int64.max).microseconds == .max)
    #expect(Duration.seconds(Int64.min).microseconds == .min)
    #expect(
      Duration(secondsComponent: 9_223_372_036_854, attosecondsComponent: 900_000_000_000_000_000)
        .microseconds == .max)
  }

  @Test("Any moment can be written, the ends of time too")
  func extremes() {
    for microseconds in [Int64.min, .max] { #expect(!Timestamp(microseconds: microseconds).iso8601.isEmpty) }
  }

  @Test("Every fifth day of four hundred years is read as it is written")
  func everyDay() {
    for day in stride(from: 0, to: 146_097, by: 5) {
      let moment = Timestamp(seconds: Int64(day) * 86_400 + 43_200)
      if Timestamp(iso8601: moment.iso8601) != moment { Issue.record("\(moment.iso8601)") }
    }
  }
}
