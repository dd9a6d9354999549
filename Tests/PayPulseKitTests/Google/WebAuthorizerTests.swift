import HTTP
import PayPulseKit
import Primitives
import Testing

@Suite("Authorization")
struct WebAuthorizerTests {
  @Test("PKCE: the example of RFC 7636 appendix B")
  func pkce() {
    let pair = PKCE(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), sha256: Fixture.sha256)
    #expect(pair.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test("a fresh verifier has 43 unreserved characters and differs each time")
  func verifier() {
    let pairs = (0..<20).map { _ in PKCE(random: .system, sha256: Fixture.sha256).verifier.expose() }
    #expect(Set(pairs).count == 20)
    #expect(
      pairs.allSatisfy { text in
        text.utf8.count == 43
          && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0)) }
      })
  }

  @Test(
    "A9: the page asks for the documented scopes and forces no consent, so that no sign-in mints a token more"
  )
  func page() async throws {
    let device = try Device()
    let pages = Pages()
    _ = try await device.connector { page in
      await pages.add(page)
      return await FakeBrowser(world: device.world).consented(page)
    }.connect(in: Fixture.session())
    let page = try #require(await pages.all.first)
    #expect(page.url.hasPrefix("https://accounts.google.com/o/oauth2/v2/auth?"))
    let parameters = page.parameters
    #expect(
      Set(parameters.keys) == [
        "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
      ])
    #expect(parameters["scope"] == "openid email profile https://www.googleapis.com/auth/gmail.readonly")
    #expect(parameters["response_type"] == "code")
    #expect(parameters["code_challenge_method"] == "S256")
    #expect(parameters["redirect_uri"] == "com.googleusercontent.apps.123-abc:/oauth2callback")
    let challenge = PKCE(verifier: page.attempt.verifier, sha256: Fixture.sha256).challenge
    #expect(parameters["code_challenge"] == challenge)
    #expect(!page.url.contains(page.attempt.verifier.expose()))
  }

  @Test("the exchange is a public client's: five parameters, no secret")
  func exchange() async throws {
    let device = try Device()
    _ = try await device.connector().connect(in: Fixture.session())
    let form = try #require(await device.world.forms.first)
    #expect(Set(form.keys) == ["grant_type", "code", "client_id", "redirect_uri", "code_verifier"])
    #expect(form["grant_type"] == "authorization_code")
  }

  @Test(
    "an answer that is not ours is not used",
    arguments: [
      ("state=other&code=4/x", AuthorizationError.notOurs(.state)), ("code=4/x", .notOurs(.state)),
      ("state=STATE&state=other&code=4/x", .notOurs(.state)),
      ("state=STATE&code=4/x&iss=https%3A%2F%2Fevil.example", .notOurs(.issuer)),
      ("state=other&error=access_denied", .notOurs(.state)), ("state=STATE&code=%GG", .notOurs(.state)),
      ("state=STATE", .invalidReply), ("state=STATE&error=access_denied", .denied),
      ("state=STATE&error=admin_policy_enforced", .blockedByAdmin(code: "admin_policy_enforced")),
      ("state=STATE&error=invalid_client", .clientMisconfigured(code: "invalid_client")),
      ("state=STATE&error=odd%1B%5B2J", .refused(code: "unknown")),
    ])
  func answers(query: String, expected: AuthorizationError) async throws {
    let device = try Device()
    let connector = device.connector { page in
      page.attempt.redirectURI + "?" + query.replacing("STATE", with: page.attempt.state.expose())
    }
    await #expect(throws: ConnectError.google(expected, kept: false)) {
      try await connector.connect(in: Fixture.session())
    }
    #expect(await device.world.urls.isEmpty)
    #expect(await device.store.records.isEmpty)
  }

  @Test("another redirect address is not taken, letter case and a slash at the end are no difference")
  func redirectAddress() {
    let attempt = AuthorizationAttempt(
      clientID: "c", endpoints: GoogleEndpoints(), redirectURI: "http://127.0.0.1:5/", state: Secret("s"),
      nonce: Secret("n"), verifier: Secret("v"), startedAt: Timestamp(seconds: 0))
    #expect(attempt.isAnswer("http://127.0.0.1:5?code=1"))
    #expect(attempt.isAnswer("HTTP://127.0.0.1:5/?code=1"))
    #expect(!attempt.isAnswer("http://127.0.0.1:50/?code=1"))
    #expect(!attempt.isAnswer("http://127.0.0.1:5/other?code=1"))
    #expect(!attempt.isAnswer("https://127.0.0.1:5/?code=1"))
  }

  @Test("the nonce and the audience of the ID token must be ours", arguments: ["nonce", "aud"])
  func idToken(claim: String) async throws {
    let device = try Device()
    let connector = device.connector { page in
      var claims: [String: JSONValue] = [
        "aud": .string(Fixture.clientID), "nonce": .string(page.attempt.nonce.expose()), "sub": "1",
      ]
      claims[claim] = "other"
      let reply: JSONValue = ["access_token": "ya29.x", "id_token": .string(Fixture.jwt(.object(claims)))]
      await device.world.answer(.token, 200, String(decoding: reply.serialized, as: UTF8.self))
      return await FakeBrowser(world: device.world).consented(page)
    }
    let mismatch: AuthorizationError.Mismatch = claim == "aud" ? .audience : .nonce
    await #expect(throws: ConnectError.google(.notOurs(mismatch), kept: false)) {
      try await connector.connect(in: Fixture.session())
    }
    #expect(await device.world.uploads.isEmpty)
  }

  @Test("the endpoints lie under a base address, or at Google")
  func endpoints() {
    #expect(GoogleEndpoints().token == "https://oauth2.googleapis.com/token")
    let emulated = GoogleEndpoints(baseURL: "http://127.0.0.1:9/")
    #expect(emulated.authorization == "http://127.0.0.1:9/o/oauth2/v2/auth")
    #expect(emulated.token == "http://127.0.0.1:9/token")
  }

  @Test("the custom scheme is the client id reversed")
  func scheme() {
    #expect(
      ReversedClientID.redirectURI(of: "9-Ab.apps.googleusercontent.com")
        == "com.googleusercontent.apps.9-ab:/oauth2callback")
    #expect(ReversedClientID.scheme(of: "a b") == nil)
    #expect(ReversedClientID.scheme(of: ".apps.googleusercontent.com;x") == nil)
  }
}

private actor Pages {
  private(set) var all: [AuthorizationPage] = []
  func add(_ page: AuthorizationPage) { all.append(page) }
}
