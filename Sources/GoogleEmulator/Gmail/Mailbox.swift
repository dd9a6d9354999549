import Cryptography
import Primitives

/// A message in one mailbox.
struct StoredMessage: Sendable {
  let id: String
  let threadID: String
  let labelIDs: [String]
  /// Milliseconds since 1970.
  let internalDate: Int64
  /// The order of arrival, which decides between equal dates.
  let sequence: Int
  /// The mailbox's history id when this message last changed.
  let historyID: UInt64
  let mail: Mail

  /// Newest first: the order of lists.
  func isListedBefore(_ other: StoredMessage) -> Bool {
    (internalDate, sequence) > (other.internalDate, other.sequence)
  }
}

/// One change of a mailbox.
struct HistoryRecord: Sendable {
  /// What happened.
  enum Kind: String, Sendable, CaseIterable {
    case messageAdded
    case messageDeleted
  }

  let id: UInt64
  let kind: Kind
  let messageID: String
  let threadID: String
  let labelIDs: [String]
  let time: Timestamp
}

/// One account's mail.
struct Mailbox: Sendable {
  /// How long a history id can be asked from: "typically at least a week" (Gmail API, "Synchronize clients").
  static let historyLifetime = Duration.seconds(7 * 86_400)

  /// Newest first.
  private(set) var messages: [StoredMessage] = []
  private(set) var history: [HistoryRecord] = []
  private(set) var historyID: UInt64 = 10_000
  private var received = 0

  /// The message called `id`.
  func message(_ id: String) -> StoredMessage? { messages.first { $0.id == id } }

  /// How many conversations there are.
  var threadCount: Int { Set(messages.map(\.threadID)).count }

  /// Puts a message in and gives it its ids, which are the same in every run with the same mail.
  mutating func add(
    _ mail: Mail, labelIDs: [String], internalDate: Int64?, threadID: String?, owner: String,
    at now: Timestamp
  ) -> StoredMessage {
    received += 1
    let key = Digest.sha256(Array("\(owner) \(received) ".utf8) + Digest.sha256(mail.raw))
    let id =
      "1" + key.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().dropFirst()
    let date = internalDate ?? mail.date.microseconds / 1000
    let thread = threadID ?? self.thread(of: mail, date: date) ?? id
    let number = record(.messageAdded, id, thread, labelIDs, now)
    let message = StoredMessage(
      id: id, threadID: thread, labelIDs: labelIDs, internalDate: date, sequence: received, historyID: number,
      mail: mail)
    let place = messages.firstIndex { message.isListedBefore($0) } ?? messages.endIndex
    messages.insert(message, at: place)
    return message
  }

  /// Takes a message out for good; false when there is none.
  mutating func delete(_ id: String, at now: Timestamp) -> Bool {
    guard let place = messages.firstIndex(where: { $0.id == id }) else { return false }
    let message = messages.remove(at: place)
    _ = record(.messageDeleted, id, message.threadID, message.labelIDs, now)
    return true
  }

  /// The changes after `start`; nil when that is too long ago, or was never given out.
  func changes(since start: UInt64, at now: Timestamp) -> [HistoryRecord]? {
    guard start >= 10_000, start <= historyID else { return nil }
    let later = history.drop { $0.id <= start }
    if let first = later.first, now - first.time > Self.historyLifetime { return nil }
    return Array(later)
  }

  private mutating func record(
    _ kind: HistoryRecord.Kind, _ id: String, _ thread: String, _ labels: [String], _ now: Timestamp
  ) -> UInt64 {
    historyID += 1 + UInt64(history.count % 7)
    history.append(
      HistoryRecord(id: historyID, kind: kind, messageID: id, threadID: thread, labelIDs: labels, time: now))
    return historyID
  }

  /// The conversation a message joins: that of a message it refers to, or of one with the same subject from
  /// the same sender within a week, which is how Gmail groups automatic mail.
  private func thread(of mail: Mail, date: Int64) -> String? {
    let headers = mail.root.headers
    let subject = Self.baseSubject(headers)
    guard !subject.isEmpty else { return nil }
    let references = ((headers["References"] ?? "") + " " + (headers["In-Reply-To"] ?? "")).split(
      separator: " ")
    return messages.first { other in
      let theirs = other.mail.root.headers
      guard Self.baseSubject(theirs) == subject else { return false }
      if let id = theirs["Message-ID"], references.contains(where: { $0 == id }) { return true }
      return theirs.text("From") == headers.text("From") && abs(other.internalDate - date) < 7 * 86_400_000
    }?.threadID
  }

  private static func baseSubject(_ headers: MailHeaders) -> String {
    var subject = headers.text("Subject").lowercased()[...]
    while let prefix = ["re:", "fwd:", "fw:", "sv:", "vb:"].first(where: { subject.hasPrefix($0) }) {
      subject = subject.dropFirst(prefix.count).drop { $0 == " " }
    }
    return String(subject)
  }
}
