import Domain
import Google
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("GmailMailbox")
struct GmailMailboxTests {
  private let token = GoogleAccessToken(Secret("ya29.t"))

  private func mailbox(_ http: ScriptedHTTPClient) -> GmailMailbox {
    GmailMailbox(client: http, endpoints: GoogleEndpoints(baseURL: nil))
  }

  private func messages(_ bodies: [String: String], list: String) -> ScriptedHTTPClient {
    ScriptedHTTPClient { request in
      let path = request.url.split(separator: "/users/me")[1]
      if path.hasPrefix("/messages?") {
        return .success(HTTPResponse(status: 200, body: Array(list.utf8)))
      }
      let id = String(path.dropFirst("/messages/".count).prefix { $0 != "?" })
      guard let body = bodies[id] else { return .success(HTTPResponse(status: 404, body: Array("{}".utf8))) }
      return .success(HTTPResponse(status: 200, body: Array(body.utf8)))
    }
  }

  @Test("B9: the mailbox is always `me`, and the token a Bearer field")
  func profile() async throws {
    let http = ScriptedHTTPClient(200, #"{"emailAddress":"a@b.c","messagesTotal":12,"historyId":"9"}"#)
    #expect(
      try await mailbox(http).profile(token) == MailboxProfile(emailAddress: "a@b.c", messagesTotal: 12))
    #expect(http.requests.first?.url == "https://gmail.googleapis.com/gmail/v1/users/me/profile")
    #expect(http.requests.first?.method == .get)
    #expect(http.requests.first?.fields["Authorization"] == "Bearer ya29.t")
    await #expect(throws: GoogleError.unavailable(retryAfter: nil)) {
      try await mailbox(ScriptedHTTPClient(200, #"{"messagesTotal":1}"#)).profile(token)
    }
  }

  @Test("J4: the newest message goes by internalDate, not by its place in the list")
  func newest() async throws {
    let http = messages(
      [
        "1": #"{"internalDate":"1700000000000","payload":{"headers":[{"name":"Subject","value":"old"}]}}"#,
        "2":
          #"{"internalDate":"1700000000999","payload":{"headers":[{"name":"SUBJECT","value":"new"},{"name":"from","value":"x"}]}}"#,
        "3": #"{"internalDate":"1600000000000"}"#,
      ], list: #"{"messages":[{"id":"1"},{"id":"2"},{"id":"3"}]}"#)
    let message = try await mailbox(http).newestMessage(token)
    #expect(
      message
        == GmailMessage(
          receivedAt: Timestamp(microseconds: 1_700_000_000_999_000), sender: "x", subject: "new"))
  }

  @Test("An empty mailbox, whose answer has no `messages`, has no newest message")
  func empty() async throws {
    #expect(try await mailbox(messages([:], list: #"{"resultSizeEstimate":0}"#)).newestMessage(token) == nil)
  }

  @Test("An id is escaped in the path; an internalDate that makes no sense is for later")
  func oddMessages() async throws {
    let http = messages(["a%2F..%3F": #"{"internalDate":"1"}"#], list: #"{"messages":[{"id":"a/..?"}]}"#)
    #expect(try await mailbox(http).newestMessage(token)?.receivedAt == Timestamp(microseconds: 1000))
    for date in [#""soon""#, "null", #""9223372036854775807""#] {
      let http = messages(["1": #"{"internalDate":\#(date)}"#], list: #"{"messages":[{"id":"1"}]}"#)
      await #expect(throws: GoogleError.unavailable(retryAfter: nil)) {
        try await mailbox(http).newestMessage(token)
      }
    }
  }

  @Test(
    "Errors go by status and reason",
    arguments: [
      (401, "authError", GoogleError.invalidToken), (403, "insufficientPermissions", .insufficientScope),
      (403, "domainPolicy", .refused(.adminPolicyEnforced)),
      (403, "accessNotConfigured", .refused(.clientMisconfigured)),
      (403, "rateLimitExceeded", .unavailable(retryAfter: nil)),
      (403, "userRateLimitExceeded", .unavailable(retryAfter: nil)),
      (403, "dailyLimitExceeded", .unavailable(retryAfter: nil)),
      (429, "rateLimitExceeded", .unavailable(retryAfter: nil)),
      (400, "failedPrecondition", .unavailable(retryAfter: nil)),
      (500, "backendError", .unavailable(retryAfter: nil)),
    ])
  func errors(status: Int, reason: String, error: GoogleError) async {
    let body =
      #"{"error":{"code":\#(status),"message":"invalid_grant","errors":[{"domain":"global","reason":"\#(reason)"}]}}"#
    await #expect(throws: error) { try await mailbox(ScriptedHTTPClient(status, body)).profile(token) }
  }

  @Test("A refusal in HTML is for later")
  func html() async {
    await #expect(throws: GoogleError.unavailable(retryAfter: nil)) {
      try await mailbox(ScriptedHTTPClient(403, "<html>")).profile(token)
    }
  }
}
