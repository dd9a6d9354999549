import Primitives

/// `users.getProfile`, `labels.list` and `labels.get`.
enum GmailMailbox {
  @Sendable static func profile(
    _ call: GmailCall, _ state: inout EmulatorState
  ) throws(GoogleAPIError) -> @Sendable () -> JSONValue {
    let mailbox = state.mailbox(of: call.account)
    return {
      [
        "emailAddress": .string(call.account.email), "messagesTotal": .integer(Int64(mailbox.messages.count)),
        "threadsTotal": .integer(Int64(mailbox.threadCount)), "historyId": .string(String(mailbox.historyID)),
      ]
    }
  }

  @Sendable static func labels(
    _ call: GmailCall, _ state: inout EmulatorState
  ) throws(GoogleAPIError) -> @Sendable () -> JSONValue {
    let names = labelNames(state.mailbox(of: call.account))
    return { ["labels": .array(names.map { .object(describe($0)) })] }
  }

  @Sendable static func label(
    _ call: GmailCall, _ state: inout EmulatorState
  ) throws(GoogleAPIError) -> @Sendable () -> JSONValue {
    let mailbox = state.mailbox(of: call.account)
    guard let id = call.path["id"], labelNames(mailbox).contains(id) else { throw .notFound }
    return {
      let labelled = mailbox.messages.filter { $0.labelIDs.contains(id) }
      let unread = labelled.filter { $0.labelIDs.contains("UNREAD") }
      let counts: [String: JSONValue] = [
        "messagesTotal": .integer(Int64(labelled.count)), "messagesUnread": .integer(Int64(unread.count)),
        "threadsTotal": .integer(Int64(Set(labelled.map(\.threadID)).count)),
        "threadsUnread": .integer(Int64(Set(unread.map(\.threadID)).count)),
      ]
      return .object(describe(id).merging(counts) { own, _ in own })
    }
  }

  private static let system = [
    "CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CATEGORY_FORUMS", "CATEGORY_UPDATES",
    "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "STARRED", "UNREAD",
  ]

  private static func labelNames(_ mailbox: Mailbox) -> [String] {
    system + Set(mailbox.messages.flatMap(\.labelIDs)).subtracting(system).sorted()
  }

  private static func describe(_ id: String) -> [String: JSONValue] {
    ["id": .string(id), "name": .string(id), "type": system.contains(id) ? "system" : "user"]
  }
}
