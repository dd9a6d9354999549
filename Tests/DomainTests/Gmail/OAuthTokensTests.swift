import Domain
import Primitives
import Testing

@Suite("OAuthTokens: the JSON of gmail/user/{user_id}")
struct OAuthTokensTests {
  /// What the older backend wrote (reference: keys, types and forms of its secret).
  static let old = """
    {"access_token":"ya29.old", "expires_at":"2025-09-19T02:03:10.123456", "expires_in":3600,
     "scope":"https://www.googleapis.com/auth/gmail.readonly https://www.googleapis.com/auth/userinfo.email",
     "token_type":"Bearer", "created_at":"2025-09-19T01:03:10", "refresh_token":"1//0old",
     "google_user_id":"", "google_email":"user@gmail.test", "google_name":"User", "google_verified_email":false}
    """

  private func decode(_ json: String) throws -> OAuthTokens {
    try OAuthTokens(members: JSONValue(json: Array(json.utf8))?.object ?? [:])
  }

  private func encode(_ tokens: OAuthTokens) throws -> JSONValue {
    try #require(JSONValue(json: tokens.json))
  }

  private func tokens(refreshToken: String? = "1//0new", expiresAt: Int64 = 1_758_247_390_123_456)
    -> OAuthTokens
  {
    OAuthTokens(
      accessToken: GoogleAccessToken(Secret("ya29.new")),
      refreshToken: refreshToken.map { GoogleRefreshToken(Secret($0)) },
      expiresAt: Timestamp(microseconds: expiresAt), expiresIn: 3599, scopes: GrantedScopes("b a"),
      writtenAt: Timestamp(seconds: 1_758_243_790),
      account: GoogleAccount(
        subject: GoogleSubject("114"), email: "user@gmail.test", name: "Üser", emailVerified: true),
      clientID: GoogleClientID("ios"), googleBaseURL: "https://accounts.google.com", grantID: GrantID("g"),
      fence: 7)
  }

  @Test("C.2: an older secret opens, with a naive time with and without a fraction")
  func readsOld() throws {
    let tokens = try decode(Self.old)
    #expect(tokens.accessToken.secret.expose() == "ya29.old")
    #expect(tokens.refreshToken?.secret.expose() == "1//0old")
    #expect(tokens.expiresAt == Timestamp(microseconds: 1_758_247_390_123_456))
    #expect(tokens.writtenAt == Timestamp(seconds: 1_758_243_790))
    #expect(tokens.account.subject == GoogleSubject(""))
    #expect(
      tokens.clientID == nil && tokens.googleBaseURL == nil && tokens.grantID == nil && tokens.fence == 0)
    #expect(tokens.scopes.canReadMail)
  }

  @Test("C.2: exactly these keys are written, times naive, scope with spaces")
  func keys() throws {
    let json = try encode(tokens())
    let expected: JSONValue = [
      "access_token": "ya29.new", "refresh_token": "1//0new", "expires_at": "2025-09-19T02:03:10.123456",
      "expires_in": 3599, "scope": "b a", "token_type": "Bearer", "created_at": "2025-09-19T01:03:10",
      "google_user_id": "114", "google_email": "user@gmail.test", "google_name": "Üser",
      "google_verified_email": true, "client_id": "ios", "google_base_url": "https://accounts.google.com",
      "grant_id": "g", "fence": 7,
    ]
    #expect(json == expected)
  }

  @Test("C.2: refresh_token is left out when there is none")
  func withoutRefreshToken() throws {
    #expect(try encode(tokens(refreshToken: nil)).object?["refresh_token"] == nil)
  }

  @Test("What is written is what is read")
  func roundTrip() throws {
    for tokens in [tokens(), tokens(refreshToken: nil), tokens(expiresAt: 0)] {
      let copy = try OAuthTokens(members: try encode(tokens).object ?? [:])
      #expect(copy == tokens)
    }
  }

  @Test(
    "Both forms of time are read: naive, with Z, and with an offset",
    arguments: [
      "2025-09-19T02:03:10.123456", "2025-09-19T02:03:10.123456Z", "2025-09-19T04:03:10.123456+02:00",
    ])
  func times(text: String) throws {
    let json = Self.old.replacing("2025-09-19T02:03:10.123456", with: text)
    #expect(try decode(json).expiresAt == Timestamp(microseconds: 1_758_247_390_123_456))
  }

  @Test(
    "A time that is missing or makes no sense counts as past",
    arguments: [
      #""expires_at":null"#, #""expires_at":"soon""#, #""expires_at":1758247390"#, #""ignored":0"#,
    ])
  func oddTimes(member: String) throws {
    let json = Self.old.replacing(#""expires_at":"2025-09-19T02:03:10.123456""#, with: member)
    #expect(try decode(json).expiresAt == Timestamp(microseconds: 0))
  }

  @Test(
    "What only describes the tokens costs nobody a connection",
    arguments: [
      (#""expires_in":3600"#, #""expires_in":"3600""#), (#""expires_in":3600"#, #""expires_in":3599.5"#),
      (#""google_verified_email":false"#, #""google_verified_email":"false""#),
      (#""google_name":"User""#, #""google_name":null"#),
    ])
  func oddDescriptions(from: String, to: String) throws {
    #expect(try decode(Self.old.replacing(from, with: to)).refreshToken != nil)
  }

  @Test("A3: an empty refresh token is none")
  func emptyRefreshToken() throws {
    #expect(try decode(Self.old.replacing("1//0old", with: "")).refreshToken == nil)
  }

  @Test(
    "Junk, an old password secret and an empty access token hold no usable tokens",
    arguments: [
      "", "junk", "[]", "null", #"{"GMAIL_USER":"u","GMAIL_PASSWORD":"p","GMAIL_IMAP_URL":"imap.gmail.com"}"#,
      #"{"access_token":""}"#, #"{"access_token":7}"#,
    ])
  func unusable(json: String) {
    #expect(throws: (any Error).self) { try decode(json) }
  }
}
