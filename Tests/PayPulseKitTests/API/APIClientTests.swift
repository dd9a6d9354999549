import HTTP
import PayPulseKit
import Primitives
import Testing
import WireModels

@Suite("API client")
struct APIClientTests {
  let clock = ManualClock()
  private let profileReply = """
    {"message":"User profile retrieved successfully","code":200,"data":
     {"name":"Jane","email":"jane@example.com","created_on":"2024-11-01T10:00:00Z","gmail_account_connected":false,
      "gmail_connection":{"status":"needs_reconnect","reason":"invalid_grant","google_email":"j@gmail.com"}}}
    """
  private let storedReply = """
    {"message":"Gmail OAuth tokens stored successfully!","data":
     {"google_email":"j@gmail.com","scope":"s","account_switch":true,"message":"Switching from a to b",
      "previous_google_email":"a@gmail.com"}}
    """
  private let tokens = GmailTokensRequest(accessToken: Secret("ya29.x"), scope: [MailPermission.readMail])

  private func client(_ http: ScriptedHTTP) throws -> APIClient {
    APIClient(server: try Fixture.server(), http: http, time: clock.source, random: Fixture.random())
  }

  private func signupReply(_ claims: JSONValue) -> String {
    let data: JSONValue = [
      "username": "Jane", "access_token": .string(Fixture.jwt(claims)), "token_type": "Bearer",
    ]
    let reply: JSONValue = ["message": "Signup successful!", "code": 201, "data": data]
    return String(decoding: reply.serialized, as: UTF8.self)
  }

  @Test("a probe asks without a session, and a server that is not ready is refused, not unreachable")
  func probes() async throws {
    let http = ScriptedHTTP([.reply(200, "ok"), .reply(500, "{}")])
    let api = try client(http)
    try await api.checkHealth()
    await #expect(throws: APIError.refused(.init(status: 500, code: .unknownError, message: ""))) {
      try await api.checkReadiness()
    }
    #expect(
      await http.sent == ["GET https://paypulse.example/healthz", "GET https://paypulse.example/readyz"])
  }

  @Test("a sign-up gives a session whose user is read from the token")
  func signUp() async throws {
    let http = ScriptedHTTP([
      .reply(201, signupReply(["user_id": "user_9", "email": "jane@example.com", "exp": 1_800_086_400]))
    ])
    let session = try await client(http).signUp(
      email: "jane@example.com", name: "Jane", password: Secret("p4ssword"))
    #expect(session.userID == UserID("user_9"))
    #expect(session.expiresAt == Timestamp(seconds: 1_800_086_400))
    let request = try #require(await http.requests.first)
    #expect(request.url == "https://paypulse.example/v1/auth/signup")
    #expect(request.fields["Authorization"] == nil)
    #expect(
      parse(request.text) == ["email": "jane@example.com", "name": "Jane", "password": "p4ssword"])
  }

  @Test(
    "a token that is no JWT with a user is an invalid reply", arguments: [#"{"user_id":""}"#, "[]", "{}"])
  func noUser(claims: String) async throws {
    let http = ScriptedHTTP([.reply(201, signupReply(try #require(parse(claims))))])
    await #expect(throws: APIError.invalidReply(status: 201)) {
      try await client(http).signUp(email: "e", name: "n", password: Secret("p"))
    }
  }

  @Test(
    "a sign-up is never sent twice", arguments: [HTTPClientError.unreachable, .timedOut, .connectionLost])
  func signUpOnce(error: HTTPClientError) async throws {
    let http = ScriptedHTTP([.failure(error)])
    await #expect(throws: APIError.unreachable(error)) {
      try await client(http).signUp(email: "e", name: "n", password: Secret("p"))
    }
    let busy = ScriptedHTTP([.reply(503, "", ["Retry-After": "1"])])
    await #expect(throws: APIError.self) {
      try await client(busy).signUp(email: "e", name: "n", password: Secret("p"))
    }
    #expect(await busy.requests.count == 1)
  }

  @Test("reads and uploads are repeated after network trouble, and after 502 and 503 as the server asks")
  func repeats() async throws {
    let http = ScriptedHTTP([
      .failure(.connectionLost), .reply(503, #"{"message":"Service Unavailable"}"#, ["Retry-After": "7"]),
      .reply(200, profileReply),
    ])
    let profile = try await client(http).profile(Fixture.session())
    #expect(profile.gmailConnection?.status == .needsReconnect)
    #expect(profile.gmailConnection?.reason == .invalidGrant)
    #expect(clock.sleeps.last == .seconds(7))

    let upload = ScriptedHTTP([.reply(502), .failure(.timedOut), .reply(201, storedReply)])
    let data = try await client(upload).storeGmailTokens(tokens, Fixture.session())
    #expect(data.previousGoogleEmail == "a@gmail.com")
  }

  @Test("repeating ends after three attempts, and at once when the server asks for a longer wait than ours")
  func bounded() async throws {
    let down = ScriptedHTTP([.failure(.unreachable), .failure(.unreachable), .failure(.unreachable)])
    await #expect(throws: APIError.unreachable(.unreachable)) {
      try await client(down).profile(Fixture.session())
    }
    let later = ScriptedHTTP([.reply(503, "", ["Retry-After": "3600"])])
    await #expect(throws: refusal(503, .unknownError, "", retryAfter: 3600)) {
      try await client(later).profile(Fixture.session())
    }
    let operatorFault = ScriptedHTTP([
      .reply(503, #"{"error":{"code":"GMAIL_NOT_CONFIGURED","message":"m"}}"#)
    ])
    await #expect(throws: refusal(503, .gmailNotConfigured, "m")) {
      try await client(operatorFault).storeGmailTokens(tokens, Fixture.session())
    }
  }

  @Test("a refusal carries status, code, message, reason and request id")
  func refused() async throws {
    let body = """
      {"error":{"code":"INVALID_CREDENTIALS","message":"Tick the box","reason":"gmail_scope_missing","request_id":"r7"}}
      """
    let http = ScriptedHTTP([.reply(400, body)])
    let expected = APIError.Refusal(
      status: 400, code: .invalidCredentials, message: "Tick the box", reason: .gmailScopeMissing,
      requestID: "r7")
    await #expect(throws: APIError.refused(expected)) {
      try await client(http).storeGmailTokens(tokens, Fixture.session())
    }
    #expect(expected.isDefinite)
  }

  @Test("401 and a deleted user end the session; a wrong password does not, nor a gateway's 404")
  func sessionEnds() async throws {
    let session = try Fixture.session()
    for (body, code): (String, ErrorCode) in [
      (#"{"error":{"code":"TOKEN_EXPIRED","message":"Expired token"}}"#, .tokenExpired),
      (#"{"message":"Unauthorized"}"#, .unknownError),
    ] {
      await #expect(throws: APIError.sessionEnded(code)) {
        try await client(ScriptedHTTP([.reply(401, body)])).profile(session)
      }
    }
    let gone = #"{"error":{"code":"USER_NOT_FOUND","message":"User not found"}}"#
    await #expect(throws: APIError.sessionEnded(.userNotFound)) {
      try await client(ScriptedHTTP([.reply(404, gone)])).profile(session)
    }
    await #expect(throws: refusal(404, .unknownError, "Not Found")) {
      try await client(ScriptedHTTP([.reply(404, #"{"message":"Not Found"}"#)])).profile(session)
    }
    let wrong = #"{"error":{"code":"INVALID_CREDENTIALS","message":"Invalid Credentials"}}"#
    await #expect(throws: refusal(401, .invalidCredentials, "Invalid Credentials")) {
      try await client(ScriptedHTTP([.reply(401, wrong)])).signIn(email: "e", password: Secret("p"))
    }
  }

  @Test("gateways' bodies without an error object, HTML and unknown codes are refusals, not crashes")
  func gatewayErrors() async throws {
    let session = try Fixture.session()
    for (status, body, expected) in [
      (500, #"{"message":"Internal Server Error"}"#, refusal(500, .unknownError, "Internal Server Error")),
      (403, "<html>no</html>", refusal(403, .unknownError, "")),
      (418, #"{"error":{"code":"NEW","message":"m"}}"#, refusal(418, ErrorCode(rawValue: "NEW"), "m")),
      (301, "", APIError.invalidReply(status: 301)), (200, "<html>", APIError.invalidReply(status: 200)),
      (204, "", APIError.invalidReply(status: 204)),
    ] {
      await #expect(throws: expected) {
        try await client(ScriptedHTTP([.reply(status, body)])).profile(session)
      }
    }
  }

  @Test("204 is success where no data is needed")
  func noContent() async throws {
    let http = ScriptedHTTP([.reply(204), .reply(204)])
    #expect(try await client(http).disconnectGmail(Fixture.session()) == nil)
    try await client(http).deleteAccount(Fixture.session())
  }

  @Test("replies of older servers: without code, without gmail_connection, with a bare date")
  func olderServers() async throws {
    let body = """
      {"message":"ok","data":
       {"name":"J","email":"j@example.com","created_on":"2024-03-15","gmail_account_connected":true}}
      """
    let profile = try await client(ScriptedHTTP([.reply(200, body)])).profile(Fixture.session())
    #expect(profile.createdOn == "2024-03-15")
    #expect(profile.gmailConnection == nil)
  }

  @Test("I-25: a server without the documented upload path is asked under the old one")
  func oldPath() async throws {
    let http = ScriptedHTTP([.reply(404, #"{"message":"Not Found"}"#), .reply(201, storedReply)])
    _ = try await client(http).storeGmailTokens(tokens, Fixture.session())
    #expect(
      await http.sent == [
        "POST https://paypulse.example/v1/auth/gmail-tokens",
        "POST https://paypulse.example/v1/auth/gmail/store-tokens",
      ])
  }

  @Test("I-52: deleting the account calls DELETE /v1/user/me and hides no error; gone already is fine")
  func deleteAccount() async throws {
    let http = ScriptedHTTP([.reply(200, #"{"message":"deleted","code":200,"data":null}"#)])
    try await client(http).deleteAccount(Fixture.session())
    #expect(await http.sent == ["DELETE https://paypulse.example/v1/user/me"])
    await #expect(throws: refusal(404, .unknownError, "Not Found")) {
      try await client(ScriptedHTTP([.reply(404, #"{"message":"Not Found"}"#)])).deleteAccount(
        Fixture.session())
    }
    let gone = #"{"error":{"code":"USER_NOT_FOUND","message":"User not found"}}"#
    try await client(ScriptedHTTP([.reply(404, gone)])).deleteAccount(Fixture.session())
  }

  @Test("a session is never sent to another server")
  func foreignServer() async throws {
    let session = try Fixture.session(server: try ServerAddress("https://other.example"))
    let http = ScriptedHTTP([])
    await #expect(throws: APIError.sessionEnded(.invalidToken)) { try await client(http).profile(session) }
    #expect(await http.requests.isEmpty)
  }

  private func refusal(_ status: Int, _ code: ErrorCode, _ message: String, retryAfter: Int? = nil)
    -> APIError
  {
    .refused(APIError.Refusal(status: status, code: code, message: message, retryAfter: retryAfter))
  }
}
