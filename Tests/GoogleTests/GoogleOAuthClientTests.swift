import Domain
import Google
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("GoogleOAuthClient: requests and replies")
struct GoogleOAuthClientTests {
  static let access = GoogleAccessToken(Secret("ya29.a/0+b"))
  static let refresh = GoogleRefreshToken(Secret("1//0g+/="))
  static let client = GoogleClientID("123-ios.apps.googleusercontent.com")

  private let log = CapturedLog(clock: TestClock())

  private func google(_ http: ScriptedHTTPClient, baseURL: String? = nil) -> GoogleOAuthClient {
    GoogleOAuthClient(client: http, endpoints: GoogleEndpoints(baseURL: baseURL), log: log.log)
  }

  private func refreshed(_ body: String) async throws -> TokenReply {
    try await google(ScriptedHTTPClient(200, body)).refresh(
      Self.refresh, clientID: Self.client, timeout: .seconds(3))
  }

  private func form(_ request: HTTPClientRequest) -> [String: String] {
    let pairs = FormCoding.decode(String(decoding: request.body, as: UTF8.self)) ?? []
    return Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { _, _ in "twice" })
  }

  // MARK: Requests

  @Test("3.4: a refresh sends exactly grant_type, refresh_token and client_id, as a form, with its timeout")
  func refreshRequest() async throws {
    let http = ScriptedHTTPClient(200, #"{"access_token":"a","expires_in":3599}"#)
    _ = try await google(http).refresh(Self.refresh, clientID: Self.client, timeout: .seconds(3))
    let request = try #require(http.requests.first)
    #expect(request.method == .post)
    #expect(request.url == "https://oauth2.googleapis.com/token")
    #expect(request.fields["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request.fields.count == 1)
    #expect(request.timeout == .seconds(3))
    #expect(
      form(request) == [
        "grant_type": "refresh_token", "refresh_token": "1//0g+/=", "client_id": Self.client.rawValue,
      ])
  }

  @Test(
    "D5: no token is ever in an address; each is in a body or an Authorization field",
    arguments: [
      nil, "http://127.0.0.1:9000", "http://127.0.0.1:9000///",
    ])
  func addresses(baseURL: String?) async throws {
    let http = ScriptedHTTPClient(
      200, #"{"access_token":"a","emailAddress":"a@b.c","internalDate":"1","messages":[{"id":"m"}]}"#)
    let google = google(http, baseURL: baseURL)
    _ = try await google.tokenInfo(Self.access)
    _ = try await google.userInfo(Self.access)
    _ = try await google.refresh(Self.refresh, clientID: Self.client, timeout: .seconds(3))
    try await google.revoke(Self.refresh.secret)
    let mailbox = GmailMailbox(client: http, endpoints: GoogleEndpoints(baseURL: baseURL))
    _ = try await mailbox.profile(Self.access)
    _ = try await mailbox.newestMessage(Self.access)
    let urls = http.requests.map(\.url)
    #expect(urls.count == 7)
    for url in urls {
      #expect(!url.contains("ya29") && !url.contains("1//") && !url.contains("%2F%2F"))
      if baseURL != nil { #expect(url.hasPrefix("http://127.0.0.1:9000/") && !url.contains("9000//")) }
    }
    #expect(form(http.requests[0]) == ["access_token": "ya29.a/0+b"])
    #expect(http.requests[0].method == .post)
    #expect(http.requests[1].fields["Authorization"] == "Bearer ya29.a/0+b")
    #expect(form(http.requests[3]) == ["token": "1//0g+/="])
    #expect(http.requests[3].method == .post, "H12: GET is answered 404 there")
    #expect(log.lines.allSatisfy { !$0.contains("ya29") && !$0.contains("1//") })
  }

  @Test("Under a base URL every path is the one that the emulator serves")
  func paths() async throws {
    let http = ScriptedHTTPClient(200, #"{"access_token":"a","emailAddress":"a@b.c"}"#)
    let google = google(http, baseURL: "http://g")
    _ = try await google.tokenInfo(Self.access)
    _ = try await google.userInfo(Self.access)
    _ = try await google.refresh(Self.refresh, clientID: Self.client, timeout: .seconds(3))
    try await google.revoke(Self.refresh.secret)
    _ = try await GmailMailbox(client: http, endpoints: GoogleEndpoints(baseURL: "http://g")).profile(
      Self.access)
    #expect(
      http.requests.map(\.url) == [
        "http://g/tokeninfo", "http://g/oauth2/v3/userinfo", "http://g/token", "http://g/revoke",
        "http://g/gmail/v1/users/me/profile",
      ])
  }

  // MARK: tokeninfo and userinfo

  @Test("C3: tokeninfo's numbers and flags are texts")
  func tokenInfo() async throws {
    let http = ScriptedHTTPClient(
      200,
      #"{"azp":"p","aud":"a","sub":"1140","scope":"openid x","exp":"1477342432","expires_in":"3497","email":"a@b.c","email_verified":"true","access_type":"offline"}"#
    )
    let info = try await google(http).tokenInfo(Self.access)
    #expect(info.audience == GoogleClientID("a") && info.authorizedParty == GoogleClientID("p"))
    #expect(info.subject == GoogleSubject("1140") && info.email == "a@b.c")
    #expect(info.scopes.values == ["openid", "x"] && info.expiresIn == 3497)
  }

  @Test("tokeninfo without an identity scope names no account")
  func tokenInfoWithoutIdentity() async throws {
    let info = try await google(ScriptedHTTPClient(200, #"{"aud":"a","expires_in":"1","sub":""}"#)).tokenInfo(
      Self.access)
    #expect(info.subject == nil && info.email == nil && info.scopes.values.isEmpty)
  }

  @Test(
    "C2: userinfo in its v3 and its v1 form; the flag as a flag or a text, absent means no",
    arguments: [
      (#"{"sub":"7","email":"a@b.c","email_verified":true,"name":"N"}"#, true),
      (#"{"sub":"7","email":"a@b.c","email_verified":"true","name":"N"}"#, true),
      (#"{"sub":"7","email":"a@b.c","email_verified":"false","name":"N"}"#, false),
      (#"{"sub":"7","email":"a@b.c","email_verified":false,"name":"N"}"#, false),
      (#"{"sub":"7","email":"a@b.c","name":"N"}"#, false),
      (#"{"id":"7","email":"a@b.c","verified_email":true,"name":"N"}"#, true),
      (#"{"sub":"7","id":"8","email":"a@b.c","email_verified":1,"name":"N"}"#, false),
    ])
  func userInfo(body: String, isVerified: Bool) async throws {
    let user = try await google(ScriptedHTTPClient(200, body)).userInfo(Self.access)
    #expect(user.subject == GoogleSubject("7") && user.email == "a@b.c" && user.name == "N")
    #expect(user.emailVerified == isVerified)
  }

  @Test(
    "tokeninfo and userinfo: 400 and 401 are an invalid token, 403 a missing scope, the rest is for later",
    arguments: [
      (400, #"{"error":"invalid_token","error_description":"Invalid Value"}"#, GoogleError.invalidToken),
      (400, #"{"error_description":"Invalid Value"}"#, .invalidToken),
      (401, #"{"error":"invalid_request","error_description":"Invalid Credentials"}"#, .invalidToken),
      (401, #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#, .invalidToken),
      (403, #"{"error":{"code":403,"message":"Insufficient Permission"}}"#, .insufficientScope),
      (403, "<html>Sorry... automated queries</html>", .unavailable(retryAfter: nil)),
      (429, "{}", .unavailable(retryAfter: nil)), (500, "{}", .unavailable(retryAfter: nil)),
      (200, "<html>", .unavailable(retryAfter: nil)), (200, "[]", .unavailable(retryAfter: nil)),
      (302, "{}", .unavailable(retryAfter: nil)),
    ])
  func tokenErrors(status: Int, body: String, error: GoogleError) async {
    let google = google(ScriptedHTTPClient(status, body))
    await #expect(throws: error) { try await google.tokenInfo(Self.access) }
    await #expect(throws: error) { try await google.userInfo(Self.access) }
  }

  // MARK: Refresh replies

  @Test("A7: a reply without refresh_token, or with an empty or null one, has none")
  func noRefreshToken() async throws {
    for member in ["", #","refresh_token":"""#, #","refresh_token":null"#, #","refresh_token":7"#] {
      #expect(try await refreshed(#"{"access_token":"a","expires_in":3599\#(member)}"#).refreshToken == nil)
    }
    let reply = try await refreshed(#"{"access_token":"a","expires_in":3599,"refresh_token":"1//n"}"#)
    #expect(reply.refreshToken == GoogleRefreshToken(Secret("1//n")))
  }

  @Test(
    "F2, F3, F6: a lifetime is a number or a text; none or nonsense is short, and told; never over a day",
    arguments: [
      ("3599", Int64(3599), false), (#""3599""#, 3599, false), ("3599.9", 3599, false),
      (#""3599.9""#, 3599, false),
      ("0", 0, false), ("-5", 0, false), (#""-5""#, 0, false), ("86401", 86_400, false),
      ("2147483648", 86_400, false),
      ("9223372036854775807", 86_400, false), ("1e300", 300, true), (#""1e300""#, 300, true),
      (#""abc""#, 300, true),
      (#""""#, 300, true), (#""nan""#, 300, true), (#""inf""#, 300, true), ("true", 300, true),
      ("null", 300, true),
      ("[]", 300, true),
    ])
  func lifetimes(text: String, seconds: Int64, isTold: Bool) async throws {
    #expect(try await refreshed(#"{"access_token":"a","expires_in":\#(text)}"#).expiresIn == seconds)
    #expect((log.count(of: "google_reply_without_lifetime") == 1) == isTold)
  }

  @Test("F3: a reply without a lifetime lives for a short time")
  func missingLifetime() async throws {
    #expect(try await refreshed(#"{"access_token":"a"}"#).expiresIn == 300)
  }

  @Test("A time-limited grant says how long it lasts")
  func grantLifetime() async throws {
    let reply = try await refreshed(#"{"access_token":"a","refresh_token_expires_in":604799}"#)
    #expect(reply.refreshTokenExpiresIn == 604_799)
    #expect(try await refreshed(#"{"access_token":"a"}"#).refreshTokenExpiresIn == nil)
    #expect(
      try await refreshed(#"{"access_token":"a","refresh_token_expires_in":1e18}"#).refreshTokenExpiresIn == 1
        << 40)
  }

  @Test(
    "F1, B15: the ID token's sub and aud are read, one or several; its times and signature are not looked at",
    arguments: [
      (#"{"sub":"7","aud":"c","iat":99999999999,"exp":1}"#, "7", ["c"]),
      (#"{"sub":"7","aud":["c","d"]}"#, "7", ["c", "d"]),
      (#"{"sub":"7"}"#, "7", []), (#"{"sub":"7","aud":{}}"#, "7", []),
    ])
  func identity(claims: String, subject: String, audience: [String]) async throws {
    let token = "e30." + Base64URL.encode(Array(claims.utf8)) + ".sig"
    let identity = try #require(try await refreshed(#"{"access_token":"a","id_token":"\#(token)"}"#).identity)
    #expect(identity.subject == GoogleSubject(subject))
    #expect(identity.audience.map(\.rawValue) == audience)
  }

  @Test(
    "An ID token that cannot be read counts as none",
    arguments: [
      "", "a.b", "e30.!!!.s", "e30.bm90anNvbg.s", "e30.e30.s", "e30.W10.s", "a.b.c.d", "e30.eyJzdWIiOjd9.s",
    ])
  func brokenIdentity(token: String) async throws {
    #expect(try await refreshed(#"{"access_token":"a","id_token":"\#(token)"}"#).identity == nil)
  }

  @Test(
    "A success that holds no access token makes no sense: try later",
    arguments: [
      "", "{}", #"{"access_token":""}"#, #"{"access_token":null}"#, "<html>", "[]", "\u{0}",
    ])
  func nonsense(body: String) async {
    await #expect(throws: GoogleError.unavailable(retryAfter: nil)) { try await refreshed(body) }
  }
}
