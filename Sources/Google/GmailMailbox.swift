import Domain
import HTTP
import Primitives

/// A mailbox over the Gmail REST API. The user in the path is always `me`: another account's address would be
/// refused ("Delegation denied").
package struct GmailMailbox: Mailbox {
  private let calls: GoogleCalls
  private let base: String
  /// `messages.list` is nearly, not strictly, newest first: the newest is looked for among so many.
  private static let headlines = 5

  /// Reads mail at `endpoints` through `client`.
  package init(client: any HTTPClient, endpoints: GoogleEndpoints) {
    calls = GoogleCalls(client: client)
    base = endpoints.gmail + "/users/me"
  }

  /// `users.getProfile`.
  package func profile(_ token: GoogleAccessToken) async throws(GoogleError) -> MailboxProfile {
    let answer = try await ask("/profile", token)
    guard let address = answer.json["emailAddress"]?.filledString else { throw answer.unexpected }
    return MailboxProfile(
      emailAddress: address, messagesTotal: answer.json["messagesTotal"]?.lenientInteger ?? 0)
  }

  /// The newest of the first few that `messages.list` names, by `internalDate`.
  package func newestMessage(_ token: GoogleAccessToken) async throws(GoogleError) -> GmailMessage? {
    let list = try await ask("/messages?maxResults=\(Self.headlines)", token)
    var newest: GmailMessage?
    for entry in list.json["messages"]?.array ?? [] {
      guard let id = entry["id"]?.filledString else { throw list.unexpected }
      let message = try await headline(id, token)
      if newest.map({ $0.receivedAt < message.receivedAt }) ?? true { newest = message }
    }
    return newest
  }

  private func headline(_ id: String, _ token: GoogleAccessToken) async throws(GoogleError) -> GmailMessage {
    let path =
      "/messages/\(PercentCoding.encode(id))?format=metadata&metadataHeaders=From&metadataHeaders=Subject"
    let answer = try await ask(path, token)
    guard let milliseconds = answer.json["internalDate"]?.lenientInteger else { throw answer.unexpected }
    let headers = answer.json["payload"]?["headers"]?.array ?? []
    func header(_ name: String) -> String {
      headers.first { $0["name"]?.string?.equalsIgnoringASCIICase(name) ?? false }?["value"]?.string ?? ""
    }
    let (microseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { throw answer.unexpected }
    return GmailMessage(
      receivedAt: Timestamp(microseconds: microseconds), sender: header("From"), subject: header("Subject"))
  }

  private func ask(_ path: String, _ token: GoogleAccessToken) async throws(GoogleError) -> GoogleAnswer {
    let answer = try await calls.get(base + path, token)
    guard !answer.isSuccess else { return answer }
    throw Self.refusal(answer)
  }

  /// What an error of the Gmail API means (Gmail API guide "Resolve errors"): decided by status and reason.
  private static func refusal(_ answer: GoogleAnswer) -> GoogleError {
    switch (answer.status, answer.apiReason) {
    case (401, _): .invalidToken
    case (403, "insufficientPermissions"): .insufficientScope
    case (403, "domainPolicy"): .refused(.adminPolicyEnforced)
    case (403, "accessNotConfigured"): .refused(.clientMisconfigured)
    default: answer.unexpected
    }
  }
}
