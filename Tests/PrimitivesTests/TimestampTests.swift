import Primitives
import Testing

@Suite("Timestamps as text")
struct TimestampTests {
  @Test(
    "are ISO 8601 in UTC, to the second",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_730_455_203, "2024-11-01T10:00:03Z"), (-1, "1969-12-31T23:59:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
      (253_402_300_800, "10000-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
    ])
  func iso8601(_ seconds: Int64, _ text: String) {
    #expect(Timestamp(seconds: seconds).iso8601 == text)
  }

  @Test("in Python's form have six digits of fraction, or none")
  func naive() {
    #expect(Timestamp(microseconds: 1_730_455_203_000_000).naiveISO8601 == "2024-11-01T10:00:03")
    #expect(Timestamp(microseconds: 1_730_455_203_000_450).naiveISO8601 == "2024-11-01T10:00:03.000450")
    #expect(Timestamp(microseconds: -1).naiveISO8601 == "1969-12-31T23:59:59.999999")
  }

  @Test("are read back as they were written", arguments: [0, 1_730_455_203_123_456, -1, 1_000_000])
  func roundTrip(_ microseconds: Int64) {
    let moment = Timestamp(microseconds: microseconds)
    #expect(Timestamp(iso8601: moment.naiveISO8601) == moment)
    #expect(Timestamp(iso8601: moment.iso8601)?.seconds == moment.seconds)
  }
}
