import HTTP
import Primitives

/// One search: what it asks for, and whether a message fits.
struct MailSearch: Sendable {
  private let root: SearchTerm

  init(_ text: String) { root = SearchParser.parse(text) }

  /// Whether it names spam, trash or everything, so that these are not left out.
  var asksForHidden: Bool { Self.asksForHidden(root) }

  private static func asksForHidden(_ term: SearchTerm) -> Bool {
    switch term {
    case .all(let terms), .any(let terms): terms.contains(where: asksForHidden)
    case .field(let name, let value):
      ["in", "label", "is"].contains(name) && ["spam", "trash", "anywhere"].contains(value.lowercased())
    case .not, .text: false
    }
  }

  func matches(_ message: StoredMessage, at now: Timestamp) -> Bool { matches(root, message, now) }

  private func matches(_ term: SearchTerm, _ message: StoredMessage, _ now: Timestamp) -> Bool {
    switch term {
    case .all(let terms): terms.allSatisfy { matches($0, message, now) }
    case .any(let terms): terms.contains { matches($0, message, now) }
    case .not(let inner): !matches(inner, message, now)
    case .text(let text): SearchWords.text(Self.everything(message), holds: text)
    case .field(let name, let value): field(name, value, message, now)
    }
  }

  private func field(_ name: String, _ value: String, _ message: StoredMessage, _ now: Timestamp) -> Bool {
    let headers = message.mail.root.headers
    switch name {
    case "from", "to", "cc", "bcc", "subject": return SearchWords.text(headers.text(name), holds: value)
    case "deliveredto": return SearchWords.text(headers.text("Delivered-To"), holds: value)
    case "list": return SearchWords.text(headers.text("List-ID"), holds: value)
    case "rfc822msgid": return Self.bare(headers["Message-ID"] ?? "") == Self.bare(value)
    case "after", "newer", "before", "older", "newer_than", "older_than":
      return SearchDate(name: name, value: value, now: now)?.holds(message.internalDate) ?? false
    case "has":
      return value.lowercased() == "attachment" && Self.files(message).contains(where: \.isAttachment)
    case "filename": return Self.files(message).contains { SearchWords.text($0.filename, holds: value) }
    case "larger", "size": return Self.bytes(value).map { message.mail.raw.count > $0 } ?? false
    case "smaller": return Self.bytes(value).map { message.mail.raw.count < $0 } ?? false
    case "in", "label", "is", "category": return Self.label(name, value.lowercased(), message.labelIDs)
    default: return SearchWords.text(Self.everything(message), holds: "\(name) \(value)")
    }
  }

  private static func label(_ operatorName: String, _ value: String, _ labels: [String]) -> Bool {
    switch (operatorName, value) {
    case ("in", "anywhere"): true
    case ("in", "drafts"): labels.contains("DRAFT")
    case ("is", "read"): !labels.contains("UNREAD")
    case ("category", "primary"): labels.contains("CATEGORY_PERSONAL")
    case ("category", _): labels.contains("CATEGORY_" + value.uppercased())
    default: labels.contains { folded($0) == folded(value) }
    }
  }

  /// Gmail writes blanks and slashes of a label's name as hyphens.
  private static func folded(_ label: String) -> String {
    String(label.lowercased().map { $0 == " " || $0 == "/" || $0 == "_" ? "-" : $0 })
  }

  private static func files(_ message: StoredMessage) -> [MIMEPart] {
    message.mail.root.flattened(intoMessages: false)
  }

  private static func everything(_ message: StoredMessage) -> String {
    let headers = message.mail.root.headers
    let names = files(message).map(\.filename)
    return (["Subject", "From", "To", "Cc"].map(headers.text) + names + [Mail.text(message.mail.root)])
      .joined(separator: "\n")
  }

  private static func bare(_ messageID: String) -> String {
    messageID.filter { !"<> ".contains($0) }
  }

  private static func bytes(_ text: String) -> Int? {
    let number = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(number), count < 1 << 40 else { return nil }
    switch text.dropFirst(number.count).lowercased() {
    case "": return count
    case "k", "kb": return count << 10
    case "m", "mb": return count << 20
    default: return nil
    }
  }
}
