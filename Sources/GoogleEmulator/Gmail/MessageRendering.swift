import Primitives

/// Writes a message as the Gmail API does.
struct MessageRendering: Sendable {
  let message: StoredMessage
  let attachmentIDs: AttachmentIDs
  let now: Timestamp

  /// Body texts above this many bytes are fetched like attachments.
  static let inlineLimit = 5 << 20

  func json(_ format: MessageFormat, headers wanted: [String]) -> JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(message.id), "threadId": .string(message.threadID),
      "labelIds": .array(message.labelIDs.map { .string($0) }), "snippet": .string(message.mail.snippet),
      "historyId": .string(String(message.historyID)), "internalDate": .string(String(message.internalDate)),
      "sizeEstimate": .integer(Int64(message.mail.raw.count)),
    ]
    if message.labelIDs.isEmpty { members["labelIds"] = nil }
    switch format {
    case .minimal: break
    case .raw: members["raw"] = .string(Base64URL.encodePadded(message.mail.raw))
    case .full: members["payload"] = part(message.mail.root, id: "")
    case .metadata:
      let fields = message.mail.root.headers.fields.filter { field in
        wanted.isEmpty || wanted.contains { $0.lowercased() == field.name.lowercased() }
      }
      var payload: [String: JSONValue] = ["mimeType": .string(message.mail.root.mediaType)]
      if !fields.isEmpty { payload["headers"] = Self.headers(fields) }
      members["payload"] = .object(payload)
    }
    return .object(members)
  }

  private func part(_ part: MIMEPart, id: String) -> JSONValue {
    var members: [String: JSONValue] = [
      "partId": .string(id), "mimeType": .string(part.mediaType), "filename": .string(part.filename),
      "headers": Self.headers(part.headers.fields), "body": body(part, id: id),
    ]
    if !part.children.isEmpty {
      members["parts"] = .array(
        part.children.enumerated().map { self.part($1, id: id.isEmpty ? String($0) : "\(id).\($0)") })
    }
    return .object(members)
  }

  /// A body text comes along in UTF-8, whatever the sender used; everything else by an attachment id.
  private func body(_ part: MIMEPart, id: String) -> JSONValue {
    let content = Self.bytes(part)
    guard !content.isEmpty else { return ["size": 0] }
    let size = JSONValue.integer(Int64(content.count))
    if part.isBodyText, content.count <= Self.inlineLimit {
      return ["size": size, "data": .string(Base64URL.encodePadded(content))]
    }
    let name = attachmentIDs.make(partID: id, messageID: message.id, at: now)
    return ["size": size, "attachmentId": .string(name)]
  }

  /// A part's bytes as the API hands them out.
  static func bytes(_ part: MIMEPart) -> [UInt8] { part.isBodyText ? Array(part.text.utf8) : part.content }

  /// The part called `id`.
  static func part(_ id: String, in root: MIMEPart) -> MIMEPart? {
    var part = root
    for step in id.split(separator: ".") {
      guard let number = Int(step), part.children.indices.contains(number) else { return nil }
      part = part.children[number]
    }
    return part
  }

  private static func headers(_ fields: [MailHeaders.Field]) -> JSONValue {
    .array(fields.map { ["name": .string($0.name), "value": .string($0.shownValue)] })
  }
}
