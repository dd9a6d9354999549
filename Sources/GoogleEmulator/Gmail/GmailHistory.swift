import Primitives

/// `history.list`.
enum GmailHistory {
  @Sendable static func list(
    _ call: GmailCall, _ state: inout EmulatorState
  ) throws(GoogleAPIError) -> @Sendable () -> JSONValue {
    guard let text = call.query.nonEmpty("startHistoryId") else {
      throw .badRequest("Missing required parameter: startHistoryId")
    }
    guard let start = UInt64(text), start > 0 else { throw .badRequest("Invalid startHistoryId") }
    let mailbox = state.mailbox(of: call.account)
    guard var records = mailbox.changes(since: start, at: call.now) else { throw .notFound }
    let kinds = call.query.all("historyTypes")
    if !kinds.isEmpty { records.removeAll { !kinds.contains($0.kind.rawValue) } }
    if let label = call.query.nonEmpty("labelId") { records.removeAll { !$0.labelIDs.contains(label) } }
    if let token = call.query.nonEmpty("pageToken") {
      guard let last = UInt64(token) else { throw .invalidArgument("Invalid pageToken") }
      records.removeAll { $0.id <= last }
    }
    let size = try call.pageSize()
    let page = records.prefix(size)
    let next = records.count > size ? page.last?.id : nil
    return { reply(Array(page), next: next, current: mailbox.historyID) }
  }

  private static func reply(_ page: [HistoryRecord], next: UInt64?, current: UInt64) -> JSONValue {
    var members: [String: JSONValue] = ["historyId": .string(String(current))]
    if !page.isEmpty { members["history"] = .array(page.map(json)) }
    members["nextPageToken"] = next.map { .string(String($0)) }
    return .object(members)
  }

  private static func json(_ record: HistoryRecord) -> JSONValue {
    let name: [String: JSONValue] = ["id": .string(record.messageID), "threadId": .string(record.threadID)]
    var full = name
    full["labelIds"] = .array(record.labelIDs.map { .string($0) })
    let change = record.kind == .messageAdded ? "messagesAdded" : "messagesDeleted"
    return [
      "id": .string(String(record.id)), "messages": [.object(name)], change: [["message": .object(full)]],
    ]
  }
}
