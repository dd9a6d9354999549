import Cryptography
import Primitives

/// `messages.list`, `messages.get` and `messages.attachments.get`.
struct GmailMessages: Sendable {
  let core: EmulatorCore

  @Sendable func list(
    _ call: GmailCall, _ state: inout EmulatorState
  ) throws(GoogleAPIError) -> @Sendable () -> JSONValue {
    let text = call.query.nonEmpty("q")
    if text != nil, call.seesMetadataOnly {
      throw .forbidden("Metadata scope does not support 'q' parameter")
    }
    let search = text.map { MailSearch($0) }
    let labels = call.query.all("labelIds").filter { !$0.isEmpty }
    let hidden = Set(["SPAM", "TRASH"])
    let everywhere =
      try call.flag("includeSpamTrash") || search?.asksForHidden == true || !hidden.isDisjoint(with: labels)
    var found = state.mailbox(of: call.account).messages.filter { message in
      labels.allSatisfy(message.labelIDs.contains)
        && (everywhere || hidden.isDisjoint(with: message.labelIDs))
        && search?.matches(message, at: call.now) ?? true
    }
    if state.settings.swapsListNeighbours { Self.swapNeighbours(&found) }
    let query = Self.digest([call.account.sub, text ?? "", String(everywhere)] + labels)
    let start = try call.query.nonEmpty("pageToken").map { (token) throws(GoogleAPIError) in
      try Self.start(token, query, found)
    }
    let size = try call.pageSize()
    let page = found.dropFirst(start ?? 0).prefix(size)
    let next = page.endIndex < found.endIndex ? page.last.map { Self.token(after: $0, query) } : nil
    let total = found.count
    return { Self.reply(page, next: next, total: total) }
  }

  @Sendable func get(
    _ call: GmailCall, _ state: inout EmulatorState
  ) throws(GoogleAPIError) -> @Sendable () -> JSONValue {
    let word = call.query.nonEmpty("format") ?? "full"
    guard let format = MessageFormat(rawValue: word.lowercased()) else {
      throw .invalidArgument("Invalid value at 'format' (type.googleapis.com/gmail.v1.Format), \"\(word)\"")
    }
    if call.seesMetadataOnly, format == .full || format == .raw {
      throw .forbidden("Metadata scope doesn't allow format \(word.uppercased())")
    }
    let message = try message(call.path["id"], call, state)
    let rendering = MessageRendering(message: message, attachmentIDs: core.attachmentIDs, now: call.now)
    let headers = call.query.all("metadataHeaders")
    return { rendering.json(format, headers: headers) }
  }

  @Sendable func attachment(
    _ call: GmailCall, _ state: inout EmulatorState
  ) throws(GoogleAPIError) -> @Sendable () -> JSONValue {
    let message = try message(call.path["messageId"], call, state)
    guard
      let partID = core.attachmentIDs.partID(call.path["id"] ?? "", messageID: message.id, at: call.now),
      let part = MessageRendering.part(partID, in: message.mail.root)
    else { throw .invalidArgument("Invalid attachment token") }
    return {
      let content = MessageRendering.bytes(part)
      return ["size": .integer(Int64(content.count)), "data": .string(Base64URL.encodePadded(content))]
    }
  }

  // MARK: - Pieces

  private func message(
    _ id: String?, _ call: GmailCall, _ state: EmulatorState
  ) throws(GoogleAPIError) -> StoredMessage {
    guard let id, id.count <= 32, id.allSatisfy(\.isHexDigit) else {
      throw .invalidArgument("Invalid id value")
    }
    guard let message = state.mailbox(of: call.account).message(id) else { throw .notFound }
    return message
  }

  private static func reply(_ page: ArraySlice<StoredMessage>, next: String?, total: Int) -> JSONValue {
    // Google's estimate is no count; for more than a page or two it is famously 201.
    var members: [String: JSONValue] = ["resultSizeEstimate": .integer(Int64(min(total, 201)))]
    if !page.isEmpty {
      members["messages"] = .array(page.map { ["id": .string($0.id), "threadId": .string($0.threadID)] })
    }
    members["nextPageToken"] = next.map { .string($0) }
    return .object(members)
  }

  /// A page token holds the last message shown, so that mail which arrives between pages moves nothing.
  private static func token(after message: StoredMessage, _ query: String) -> String {
    Base64URL.encode(Array("\(query) \(message.internalDate) \(message.sequence) \(message.id)".utf8))
  }

  private static func start(
    _ token: String, _ query: String, _ found: [StoredMessage]
  ) throws(GoogleAPIError) -> Int {
    let words =
      Base64URL.decode(token).map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
    guard words.count == 4, words[0] == query, let date = Int64(words[1]), let sequence = Int(words[2]) else {
      throw .invalidArgument("Invalid pageToken")
    }
    if let place = found.firstIndex(where: { $0.id == words[3] }) { return place + 1 }
    return found.firstIndex { ($0.internalDate, $0.sequence) < (date, sequence) } ?? found.endIndex
  }

  private static func digest(_ words: [String]) -> String {
    Base64URL.encode(Array(Digest.sha256(Array(words.joined(separator: "\n").utf8)).prefix(9)))
  }

  private static func swapNeighbours(_ messages: inout [StoredMessage]) {
    for index in stride(from: 1, to: messages.count, by: 2) { messages.swapAt(index - 1, index) }
  }
}
