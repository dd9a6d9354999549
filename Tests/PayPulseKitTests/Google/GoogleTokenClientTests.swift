import HTTP
import PayPulseKit
import Primitives
import Testing

@Suite("Google's token endpoint")
struct GoogleTokenClientTests {
  let clock = ManualClock()

  private var grant: GoogleGrant {
    GoogleGrant(
      accessToken: Secret("ya29.old"), refreshToken: Secret("1//r"), obtainedAt: clock.now - .seconds(7200),
      expiresAt: clock.now - .seconds(3600), grantedScopes: ["a"], email: "j@gmail.com", subject: "1",
      clientID: Fixture.clientID, endpoints: GoogleEndpoints())
  }

  private func refresh(_ steps: [ScriptedHTTP.Step]) async throws -> GoogleGrant {
    try await GoogleTokenClient(http: ScriptedHTTP(steps), time: clock.source, random: Fixture.random())
      .refresh(grant)
  }

  @Test("a refresh sends grant type, token and client id, and keeps what the reply leaves out")
  func keeps() async throws {
    let http = ScriptedHTTP([
      .reply(200, #"{"access_token":"ya29.new","expires_in":100,"token_type":"Bearer"}"#)
    ])
    let fresh = try await GoogleTokenClient(http: http, time: clock.source).refresh(grant)
    #expect(fresh.refreshToken == Secret("1//r"))
    #expect(fresh.grantedScopes == ["a"])
    #expect(fresh.email == "j@gmail.com")
    #expect(fresh.expiresAt == clock.now + .seconds(100))
    let request = try #require(await http.requests.first)
    #expect(
      request.form == ["grant_type": "refresh_token", "refresh_token": "1//r", "client_id": Fixture.clientID])
    #expect(!request.url.contains("1//r"))
  }

  @Test("a refresh token in the reply replaces ours; an empty one does not")
  func rotates() async throws {
    let rotated = try await refresh([.reply(200, #"{"access_token":"a","refresh_token":"1//s"}"#)])
    #expect(rotated.refreshToken == Secret("1//s"))
    let kept = try await refresh([.reply(200, #"{"access_token":"a","refresh_token":""}"#)])
    #expect(kept.refreshToken == Secret("1//r"))
  }

  @Test(
    "expires_in is taken as a number or a text, and never believed beyond a day",
    arguments: [
      (#""3497""#, 3497), ("3599.9", 3599), ("0", 0), ("-5", 0), ("1e300", 86400), ("null", 3600),
      ("true", 3600),
      (#""abc""#, 3600), (#""nan""#, 3600), ("2147483648", 86400),
    ])
  func lifetimes(value: String, seconds: Int) async throws {
    let fresh = try await refresh([.reply(200, #"{"access_token":"a","expires_in":\#(value)}"#)])
    #expect(fresh.expiresAt - clock.now == .seconds(seconds))
  }

  @Test(
    "the error field decides, never its text",
    arguments: [
      (400, #"{"error":"invalid_grant","error_description":"Bad Request"}"#, AuthorizationError.grantRefused),
      (400, #"{"error":"invalid_grant"}"#, .grantRefused),
      (401, #"{"error":"invalid_client"}"#, .clientMisconfigured(code: "invalid_client")),
      (400, #"{"error":"admin_policy_enforced"}"#, .blockedByAdmin(code: "admin_policy_enforced")),
      (400, #"{"error":"access_denied"}"#, .blockedByAdmin(code: "access_denied")),
      (
        400, #"{"error":"invalid_request","error_description":"client_secret is missing."}"#,
        .clientMisconfigured(code: "invalid_request")
      ),
      (400, "<html>", .invalidReply), (200, "{}", .invalidReply), (200, "[]", .invalidReply),
      (302, "", .invalidReply),
    ])
  func errors(status: Int, body: String, expected: AuthorizationError) async throws {
    await #expect(throws: expected) { try await refresh([.reply(status, body)]) }
  }

  @Test("E7: a page in place of JSON, 429 and 5xx pass; they are tried three times")
  func passing() async throws {
    await #expect(throws: AuthorizationError.unavailable(status: 503)) {
      try await refresh([.reply(403, "<html>Sorry</html>"), .reply(429), .reply(503)])
    }
    let fresh = try await refresh([
      .failure(.connectionLost), .reply(400, #"{"error":"internal_failure"}"#),
      .reply(200, #"{"access_token":"a"}"#),
    ])
    #expect(fresh.accessToken == Secret("a"))
  }

  @Test("A12: a reply without an access token is no grant, whatever code is in it")
  func codeIsNoToken() async throws {
    await #expect(throws: AuthorizationError.invalidReply) {
      try await refresh([.reply(200, #"{"server_code":"4/x","refresh_token":"1//s","access_token":""}"#)])
    }
  }

  @Test("nothing that a grant holds is shown when it is printed")
  func redacted() {
    var text = "\(grant) \(String(reflecting: grant))"
    dump(grant, to: &text)
    #expect(!text.contains("ya29") && !text.contains("1//r"))
  }
}
