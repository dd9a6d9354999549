import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct ConsentTests {
  let bench = Bench()

  private func submit(_ path: String, _ page: Reply, _ form: [String: String]) async -> Reply {
    await bench.post("/signin/oauth/\(path)", form: form.merging(["transaction": page.transaction]) { $1 })
  }

  @Test func `a person chooses an account and allows`() async {
    let chooser = await bench.authorize()
    #expect(chooser.status == 200 && chooser.body.contains("Alice Andersson"))
    let consent = await submit("account", chooser, ["account": Bench.alice])
    #expect(consent.body.contains("checked") && consent.body.contains(Bench.readonly))
    let back = await submit("consent", consent, ["action": "allow", "scope": Bench.readonly])
    #expect(back.status == 302)
    let tokens = await bench.exchange(back.redirect["code"] ?? "")
    #expect(tokens.scopes.contains(Bench.readonly))
    let user = await bench.get("/oauth2/v3/userinfo", token: tokens.accessToken)
    #expect(user.text("email") == Bench.alice)
  }

  @Test func `B1: the untick setting empties the box`() async {
    await bench.control("settings", ["untick_scopes": [.string(Bench.readonly)]])
    #expect(await bench.authorize(["login_hint": Bench.alice]).body.contains("checked") == false)
  }

  @Test func `a login_hint by address or sub skips the chooser, prompt=select_account does not`() async {
    let sub = Account(email: Bench.bob).sub
    for hint in [Bench.bob, sub] {
      #expect(await bench.authorize(["login_hint": hint]).body.contains("id=\"account-email\">\(Bench.bob)"))
    }
    let asked = await bench.authorize(["login_hint": Bench.bob, "prompt": "select_account"])
    #expect(asked.body.contains("Choose an account"))
  }

  @Test func `cancel on either page is access_denied with the state`() async {
    let chooser = await submit("account", await bench.authorize(), ["action": "cancel"])
    let consent = await submit(
      "consent", await bench.authorize(["login_hint": Bench.alice]), ["action": "cancel"])
    for back in [chooser, consent] {
      #expect(back.redirect["error"] == "access_denied" && back.redirect["state"] == "xyz")
    }
  }

  @Test func `a page is good for one form only, and for an hour`() async {
    let page = await bench.authorize(["login_hint": Bench.alice])
    _ = await submit("consent", page, ["action": "allow"])
    #expect(await submit("consent", page, ["action": "allow"]).status == 400)
    let late = await bench.authorize(["login_hint": Bench.alice])
    await bench.advance(seconds: 3600)
    #expect(await submit("consent", late, ["action": "allow"]).status == 400)
    #expect(await bench.post("/signin/oauth/consent", form: ["action": "allow"]).status == 400)
  }

  @Test func `scopes that were not asked for cannot be ticked`() async {
    let page = await bench.authorize(["login_hint": Bench.alice, "scope": "openid"])
    let back = await submit("consent", page, ["action": "allow", "scope": Bench.readonly])
    #expect(back.redirect["scope"] == "openid")
  }

  @Test func `prompt=none never shows a page`() async {
    let silent: [String: String?] = ["prompt": "none", "login_hint": Bench.alice]
    #expect(await bench.authorize(["prompt": "none"]).redirect["error"] == "login_required")
    #expect(await bench.authorize(silent).redirect["error"] == "consent_required")
    let page = await bench.authorize(["login_hint": Bench.alice])
    _ = await submit("consent", page, ["action": "allow", "scope": Bench.readonly])
    let back = await bench.authorize(silent)
    #expect(back.redirect["prompt"] == "none" && back.redirect["code"]?.hasPrefix("4/") == true)
  }

  @Test(
    arguments: [
      (["client_id": nil], 400, "invalid_request"), (["client_id": "no"], 401, "invalid_client"),
      (["redirect_uri": nil], 400, "invalid_request"),
      (["redirect_uri": "https://evil.example/"], 400, "redirect_uri_mismatch"),
      (["redirect_uri": "urn:ietf:wg:oauth:2.0:oob"], 400, "invalid_request"),
      (["response_type": "token"], 400, "unsupported_response_type"),
      (["scope": nil], 400, "invalid_request"),
      (["scope": "openid gmail"], 400, "invalid_scope"),
      (["code_challenge": "x", "code_challenge_method": "S256"], 400, "invalid_grant"),
      (["code_challenge": "x", "code_challenge_method": "S512"], 400, "invalid_request"),
      (["code_challenge_method": "S256"], 400, "invalid_request"),
      (["prompt": "none consent"], 400, "invalid_request"),
    ] as [([String: String?], Int, String)])
  func `errors are shown, never redirected`(changes: [String: String?], status: Int, code: String) async {
    let page = await bench.authorize(changes)
    #expect(page.status == status && page.response.fields["Location"] == nil)
    #expect(page.body.contains("Error \(status): \(code)"))
  }

  @Test func `what an app sends is only text on a page`() async {
    let script = "<script>alert(1)</script>\""
    let mismatch = await bench.authorize(["redirect_uri": "https://x.example/" + "<b>"])
    #expect(!mismatch.body.contains("<b>") && mismatch.body.contains("&lt;b&gt;"))
    let scopes = await bench.authorize(["scope": script])
    #expect(!scopes.body.contains("<script>"))
    #expect(scopes.response.fields["Content-Security-Policy"]?.contains("default-src 'none'") == true)
  }
}
