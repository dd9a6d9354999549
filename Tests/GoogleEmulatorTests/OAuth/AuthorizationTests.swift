import Cryptography
import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct AuthorizationTests {
  let bench = Bench(autoConsent: Bench.alice)
  private let verifier = String(repeating: "v-._~", count: 10)
  private var challenge: String { Base64URL.encode(Digest.sha256(Array(verifier.utf8))) }

  @Test func `automatic consent redirects at once with everything Google adds`() async {
    let back = await bench.authorize(["state": "a b/+&"])
    #expect(back.status == 302)
    #expect(back.response.fields["Location"]?.hasPrefix(Bench.iosRedirect + "?") == true)
    #expect(back.redirect["state"] == "a b/+&")
    #expect(back.redirect["iss"] == "https://accounts.google.com")
    #expect(back.redirect["code"]?.hasPrefix("4/") == true)
    #expect(back.redirect["authuser"] == "0" && back.redirect["prompt"] == "consent")
    #expect(await bench.authorize().redirect["prompt"] == "none")
  }

  @Test func `email and profile come back in their long form, with openid unasked`() async {
    let back = await bench.authorize(["scope": "email profile"])
    let tokens = await bench.exchange(back.redirect["code"] ?? "")
    #expect(tokens.scopes == ["openid", Bench.email, "https://www.googleapis.com/auth/userinfo.profile"])
    #expect(tokens.refreshToken.hasPrefix("1//"))
  }

  @Test func `a code is good once, for ten minutes, for its client and its redirect`() async {
    let code = await bench.authorize().redirect["code"] ?? ""
    #expect(
      await bench.exchange(code, ["client_id": Bench.otherIOS]).error == "400 invalid_grant Bad Request")
    let elsewhere = await bench.exchange(code, ["redirect_uri": "com.googleusercontent.apps.111-app:/other"])
    #expect(elsewhere.error == "400 redirect_uri_mismatch Bad Request")
    #expect(await bench.exchange(code).status == 200)
    #expect(await bench.exchange(code).error == "400 invalid_grant Bad Request")
    let late = await bench.authorize().redirect["code"] ?? ""
    await bench.advance(seconds: 600)
    #expect(await bench.exchange(late).error == "400 invalid_grant Bad Request")
  }

  @Test func `an S256 challenge needs its verifier`() async {
    let asked = ["code_challenge": challenge, "code_challenge_method": "S256"]
    let code = await bench.authorize(asked).redirect["code"] ?? ""
    #expect(await bench.exchange(code).error == "400 invalid_grant Missing code verifier.")
    let wrong = await bench.exchange(code, ["code_verifier": verifier + "x"])
    #expect(wrong.error == "400 invalid_grant Invalid code verifier.")
    #expect(await bench.exchange(code, ["code_verifier": verifier]).status == 200)
  }

  @Test func `a challenge without a method is plain`() async {
    let code = await bench.authorize(["code_challenge": verifier]).redirect["code"] ?? ""
    #expect(await bench.exchange(code, ["code_verifier": challenge]).status == 400)
    #expect(await bench.exchange(code, ["code_verifier": verifier]).status == 200)
  }

  @Test(arguments: [42, 129]) func `a verifier has 43 to 128 characters`(length: Int) {
    #expect(!CodeChallenge.isVerifier(String(repeating: "a", count: length)))
    #expect(CodeChallenge.isVerifier(String(repeating: "a", count: length == 42 ? 43 : 128)))
    #expect(!CodeChallenge.isVerifier(String(repeating: "a", count: 60) + "+"))
  }

  @Test func `the nonce is in the code's ID token and not in a refreshed one`() async {
    let code = await bench.authorize(["nonce": "n-1"]).redirect["code"] ?? ""
    let tokens = await bench.exchange(code)
    let refreshed = await bench.refresh(tokens.refreshToken)
    func nonce(_ reply: Reply) -> JSONValue? {
      TestKeys.pair.verifiedClaims(of: Secret(reply.text("id_token")))?.claims["nonce"]
    }
    #expect(nonce(tokens) == "n-1")
    #expect(nonce(refreshed) == nil && !refreshed.text("id_token").isEmpty)
  }

  @Test func `B1: unticked scopes are left out, identity stays`() async {
    await bench.control("settings", ["untick_scopes": [.string(Bench.readonly), "openid"]])
    let tokens = await bench.exchange(await bench.authorize().redirect["code"] ?? "")
    #expect(!tokens.scopes.contains(Bench.readonly) && tokens.scopes.contains("openid"))
  }

  @Test func `B1: when nothing at all is allowed the app is told access_denied`() async {
    await bench.control("settings", ["untick_scopes": [.string(Bench.readonly)]])
    #expect(await bench.authorize(["scope": Bench.readonly]).redirect["error"] == "access_denied")
  }

  @Test func `G2: include_granted_scopes brings what was granted before`() async {
    _ = await bench.authorize(["scope": Bench.readonly])
    let alone = await bench.exchange(await bench.authorize(["scope": "email"]).redirect["code"] ?? "")
    #expect(alone.scopes == ["openid", Bench.email])
    let asked = ["scope": "email", "include_granted_scopes": "true"]
    let both = await bench.exchange(await bench.authorize(asked).redirect["code"] ?? "")
    #expect(both.scopes == ["openid", Bench.email, Bench.readonly])
  }

  @Test func `G6: a superset that holds several mail scopes is space-separated and each once`() {
    let list = ScopeList("email  openid email \(Bench.readonly)")
    #expect(list.names == [Bench.email, "openid", Bench.readonly])
    #expect(list.replyText.split(separator: " ", omittingEmptySubsequences: false).count == 3)
  }

  @Test func `a web client gets a refresh token only for offline access, and at consent`() async {
    func tokens(_ changes: [String: String]) async -> Reply {
      let web = ["client_id": Bench.web, "redirect_uri": "https://app.example/back"]
      let back = await bench.authorize(web.merging(changes) { $1 })
      return await bench.exchange(
        back.redirect["code"] ?? "", web.merging(["client_secret": Bench.secret]) { $1 })
    }
    #expect(await tokens([:]).json["refresh_token"] == nil)
    #expect(await tokens(["access_type": "offline"]).refreshToken.hasPrefix("1//"))
    #expect(await tokens(["access_type": "offline"]).json["refresh_token"] == nil)
    #expect(await tokens(["access_type": "offline", "prompt": "consent"]).refreshToken.hasPrefix("1//"))
  }

  @Test func `a Workspace account's redirect names its domain`() async {
    await bench.control("settings", ["auto_consent": .string(Bench.bob)])
    #expect(await bench.authorize().redirect["hd"] == "example.com")
  }
}
