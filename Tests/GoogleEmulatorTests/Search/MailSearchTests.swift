import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct MailSearchTests {
  private static let now = Timestamp(seconds: 1_721_300_000)

  private func matches(
    _ query: String, _ text: String = Messages.nested, labels: [String] = ["INBOX", "UNREAD"]
  ) -> Bool {
    let mail = Mail(raw: Array(text.utf8), arrival: Self.now)
    var mailbox = Mailbox()
    let message = mailbox.add(
      mail, labelIDs: labels, internalDate: nil, threadID: nil, owner: "1", at: Self.now)
    return MailSearch(query).matches(message, at: Self.now)
  }

  @Test(arguments: [
    "hyra", "HYRA", "\"hyra år\"", "from:rent@landlord.example", "from:landlord.example", "from:hyresvärden",
    "subject:räkning", "subject:\"för maj\"", "subject:(räkning maj)", "subject:{nope maj}", "has:attachment",
    "filename:pdf", "filename:räkning.pdf", "in:inbox", "is:unread", "label:inbox", "-is:read",
    "-in:scheduled",
    "nope OR hyra", "{nope hyra}", "(hyra räkning)", "-nope", "hyra -(nope also)", "larger:100", "smaller:1M",
    "after:2024/07/16 before:2024/07/17", "after:2024-07-16", "before:7/17/2024",
    "after:1721196729 before:1721196730",
    "newer_than:2d", "older_than:1h", "to:nobody OR subject:maj", "räkning AND hyra", "",
  ])
  func `finds`(query: String) { #expect(matches(query)) }

  @Test(arguments: [
    "hyr", "nope", "\"år hyra\"", "from:alice", "to:rent", "subject:hyra", "subject:(räkning nope)",
    "filename:png",
    "in:sent", "is:read", "-hyra", "-has:attachment", "hyra nope", "after:2024/07/17", "before:2024/07/16",
    "after:1721196730", "before:1721196729", "newer_than:1h", "older_than:2d", "larger:1M", "after:nonsense",
    "rfc822msgid:other@landlord.example", "hyra (nope OR also)", "from:(landlord nope)", "is:starred",
  ])
  func `does not find`(query: String) { #expect(!matches(query)) }

  @Test func `a message id is found with or without its brackets`() {
    #expect(matches("rfc822msgid:m1@landlord.example", Messages.plain()))
    #expect(matches("rfc822msgid:<m1@landlord.example>", Messages.plain()))
  }

  @Test func `the text of an attached message is not the message's own`() {
    #expect(matches("\"see below\"", Messages.forwarded) && !matches("\"inner text\"", Messages.forwarded))
  }

  @Test(arguments: [
    (2024, 1, 15, 8), (2024, 3, 10, 8), (2024, 3, 11, 7), (2024, 7, 1, 7), (2024, 11, 3, 7), (2024, 11, 4, 8),
    (2006, 4, 2, 8), (2006, 4, 3, 7), (2006, 10, 29, 7), (2006, 10, 30, 8), (1970, 1, 1, 8),
  ])
  func `a day begins at midnight in California, in summer too`(
    year: Int, month: Int, day: Int, hoursWest: Int64
  ) {
    let date = CalendarDay(year: year, month: month, day: day)
    #expect(date.map { $0.pacificMidnight - Int64($0.dayNumber) * 86_400 } == hoursWest * 3600)
  }

  @Test func `days are counted from 1970, leap years included`() {
    #expect(CalendarDay(year: 1970, month: 1, day: 1)?.dayNumber == 0)
    #expect(CalendarDay(year: 2024, month: 7, day: 17)?.dayNumber == 19921)
    #expect(CalendarDay(year: 2024, month: 7, day: 17)?.weekday == 3)
    #expect(
      CalendarDay(year: 2023, month: 2, day: 29) == nil && CalendarDay(year: 2024, month: 2, day: 29) != nil)
  }

  @Test(arguments: [
    "(", ")", "{", "}", "-", "\"", ":", "a:", "-(", "((((", "a OR", "OR", "from:\"", "}{", "a)b",
  ])
  func `unbalanced searches are read too`(query: String) { _ = matches(query) }

  @Test(arguments: ["(", "{", "-", "subject:(", "-(", "{-"])
  func `no depth of nesting ends the process`(opening: String) {
    _ = matches(String(repeating: opening, count: 100_000) + "hyra")
    #expect(
      matches(String(repeating: opening, count: 20) + "nope OR hyra") || opening.contains("-")
        || opening.contains(":"))
  }
}
