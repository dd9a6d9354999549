/// One method of the Gmail API: what the router, the quota, the scope check and the discovery document need.
struct GmailMethod: Sendable {
  /// A query parameter.
  struct Parameter: Sendable {
    let name: String
    var type = "string"
    var format: String?
    var isRepeated = false
    var choices: [String] = []
    let meaning: String
  }

  /// The id without `gmail.users.`, as in `messages.attachments.get`.
  let name: String
  /// The path with its `{names}`, without a leading slash.
  let path: String
  /// The name that error details have for it.
  let rpcName: String
  /// Any one of them is enough.
  let scopes: [String]
  /// Quota units, as for projects made since May 2026.
  let units: Int64
  /// The schema of its reply.
  let response: String
  let meaning: String
  var parameters: [Parameter] = []
}

extension GmailMethod {
  private static let readers = [
    ScopeCatalogue.fullMail, ScopeCatalogue.gmailModify, ScopeCatalogue.gmailReadonly,
  ]
  private static let metadataReaders = readers + [ScopeCatalogue.gmailMetadata]
  private static let page = [
    Parameter(name: "maxResults", type: "integer", format: "uint32", meaning: "Most results on a page."),
    Parameter(name: "pageToken", meaning: "Which page, from the page before."),
  ]

  static let getProfile = GmailMethod(
    name: "getProfile", path: "gmail/v1/users/{userId}/profile", rpcName: "GetProfile",
    scopes: metadataReaders + [ScopeCatalogue.gmailCompose], units: 1, response: "Profile",
    meaning: "Gets the mailbox's address and totals.")

  static let listMessages = GmailMethod(
    name: "messages.list", path: "gmail/v1/users/{userId}/messages", rpcName: "ListMessages",
    scopes: metadataReaders,
    units: 5, response: "ListMessagesResponse", meaning: "Lists the messages in the mailbox.",
    parameters: page + [
      Parameter(name: "q", meaning: "Only messages that this search finds."),
      Parameter(name: "labelIds", isRepeated: true, meaning: "Only messages with all of these labels."),
      Parameter(name: "includeSpamTrash", type: "boolean", meaning: "Whether spam and trash count."),
    ])

  static let getMessage = GmailMethod(
    name: "messages.get", path: "gmail/v1/users/{userId}/messages/{id}", rpcName: "GetMessage",
    scopes: metadataReaders, units: 20, response: "Message", meaning: "Gets a message.",
    parameters: [
      Parameter(name: "format", choices: MessageFormat.allCases.map(\.rawValue), meaning: "How much of it."),
      Parameter(
        name: "metadataHeaders", isRepeated: true, meaning: "With format metadata, only these headers."),
    ])

  static let getAttachment = GmailMethod(
    name: "messages.attachments.get", path: "gmail/v1/users/{userId}/messages/{messageId}/attachments/{id}",
    rpcName: "GetAttachment", scopes: readers, units: 20, response: "MessagePartBody",
    meaning: "Gets an attachment of a message.")

  static let listHistory = GmailMethod(
    name: "history.list", path: "gmail/v1/users/{userId}/history", rpcName: "ListHistory",
    scopes: metadataReaders,
    units: 2, response: "ListHistoryResponse", meaning: "Lists what changed in the mailbox.",
    parameters: page + [
      Parameter(name: "startHistoryId", format: "uint64", meaning: "What came after this one. Required."),
      Parameter(name: "labelId", meaning: "Only messages with this label."),
      Parameter(
        name: "historyTypes", isRepeated: true,
        choices: ["messageAdded", "messageDeleted", "labelAdded", "labelRemoved"],
        meaning: "Only these changes."),
    ])

  static let listLabels = GmailMethod(
    name: "labels.list", path: "gmail/v1/users/{userId}/labels", rpcName: "ListLabels",
    scopes: metadataReaders + [ScopeCatalogue.gmailLabels], units: 1, response: "ListLabelsResponse",
    meaning: "Lists the labels of the mailbox.")

  static let getLabel = GmailMethod(
    name: "labels.get", path: "gmail/v1/users/{userId}/labels/{id}", rpcName: "GetLabel",
    scopes: metadataReaders + [ScopeCatalogue.gmailLabels], units: 1, response: "Label",
    meaning: "Gets a label.")

  static let all = [getProfile, listMessages, getMessage, getAttachment, listHistory, listLabels, getLabel]
}

/// How much of a message a reply holds.
enum MessageFormat: String, Sendable, CaseIterable {
  case minimal
  case full
  case raw
  case metadata
}
