import Primitives

/// The schemas of what the served part of the Gmail API replies.
enum GmailSchemas {
  static let all: JSONValue = .object(
    Dictionary(uniqueKeysWithValues: table.map { name, members in (name, schema(name, members)) }))

  private enum Kind {
    case text
    case number
    /// A 64-bit number, which JSON carries as a string.
    case long(String)
    case object(String)
    case list(String)
    case texts
  }

  private static let table: [(String, [(String, Kind)])] = [
    (
      "Profile",
      [
        ("emailAddress", .text), ("messagesTotal", .number), ("threadsTotal", .number),
        ("historyId", .long("uint64")),
      ]
    ),
    (
      "ListMessagesResponse",
      [("messages", .list("Message")), ("nextPageToken", .text), ("resultSizeEstimate", .number)]
    ),
    (
      "Message",
      [
        ("id", .text), ("threadId", .text), ("labelIds", .texts), ("snippet", .text),
        ("historyId", .long("uint64")),
        ("internalDate", .long("int64")), ("payload", .object("MessagePart")), ("sizeEstimate", .number),
        ("raw", .text),
      ]
    ),
    (
      "MessagePart",
      [
        ("partId", .text), ("mimeType", .text), ("filename", .text), ("headers", .list("MessagePartHeader")),
        ("body", .object("MessagePartBody")), ("parts", .list("MessagePart")),
      ]
    ),
    ("MessagePartHeader", [("name", .text), ("value", .text)]),
    ("MessagePartBody", [("attachmentId", .text), ("size", .number), ("data", .text)]),
    (
      "ListHistoryResponse",
      [("history", .list("History")), ("nextPageToken", .text), ("historyId", .long("uint64"))]
    ),
    (
      "History",
      [
        ("id", .long("uint64")), ("messages", .list("Message")),
        ("messagesAdded", .list("HistoryMessageAdded")),
        ("messagesDeleted", .list("HistoryMessageDeleted")),
      ]
    ),
    ("HistoryMessageAdded", [("message", .object("Message"))]),
    ("HistoryMessageDeleted", [("message", .object("Message"))]),
    ("ListLabelsResponse", [("labels", .list("Label"))]),
    (
      "Label",
      [
        ("id", .text), ("name", .text), ("type", .text), ("messagesTotal", .number),
        ("messagesUnread", .number),
        ("threadsTotal", .number), ("threadsUnread", .number),
      ]
    ),
  ]

  private static func schema(_ name: String, _ members: [(String, Kind)]) -> JSONValue {
    [
      "id": .string(name), "type": "object",
      "properties": .object(Dictionary(uniqueKeysWithValues: members.map { ($0.0, property($0.1)) })),
    ]
  }

  private static func property(_ kind: Kind) -> JSONValue {
    switch kind {
    case .text: ["type": "string"]
    case .number: ["type": "integer", "format": "int32"]
    case .long(let format): ["type": "string", "format": .string(format)]
    case .object(let name): ["$ref": .string(name)]
    case .list(let name): ["type": "array", "items": ["$ref": .string(name)]]
    case .texts: ["type": "array", "items": ["type": "string"]]
    }
  }
}
