import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct RefreshTests {
  let bench = Bench()

  @Test func `an iOS client refreshes without a secret, and no new refresh token comes`() async {
    let minted = await bench.mint()
    let reply = await bench.refresh(minted.refreshToken)
    #expect(reply.status == 200)
    #expect(reply.accessToken.hasPrefix("ya29.") && reply.accessToken != minted.accessToken)
    #expect(reply.json["refresh_token"] == nil)
    #expect(reply.json["expires_in"] == 3599)
    #expect(reply.text("token_type") == "Bearer")
    #expect(reply.text("id_token").split(separator: ".").count == 3)
    #expect(reply.response.fields["Cache-Control"] == "no-cache, no-store, max-age=0, must-revalidate")
  }

  @Test func `an empty client_secret of an iOS client is tolerated, a wrong one is not`() async {
    let token = await bench.mint().refreshToken
    #expect(await bench.refresh(token, ["client_secret": ""]).status == 200)
    let wrong = await bench.refresh(token, ["client_secret": "x"])
    #expect(wrong.error == "401 invalid_client The provided client secret is invalid.")
  }

  @Test func `B11: a web client without its secret hears that client_secret is missing`() async {
    let token = await bench.mint(client: Bench.web).refreshToken
    let bare = await bench.refresh(token, client: Bench.web)
    #expect(bare.error == "400 invalid_request client_secret is missing.")
    #expect(await bench.refresh(token, client: Bench.web, ["client_secret": Bench.secret]).status == 200)
  }

  @Test func `a secret may come as Basic, but not twice`() async {
    let token = await bench.mint(client: Bench.web).refreshToken
    let basic = "Basic MzMzLXdlYi5hcHBzLmdvb2dsZXVzZXJjb250ZW50LmNvbTpHT0NTUFgteA=="
    let form = ["grant_type": "refresh_token", "refresh_token": token]
    #expect(await bench.post("/token", form: form, fields: ["Authorization": basic]).status == 200)
    let twice = await bench.post(
      "/token", form: form.merging(["client_secret": Bench.secret]) { $1 }, fields: ["Authorization": basic])
    #expect(
      twice.error == "400 invalid_request OAuth 2 parameters can only have a single value: client_secret")
  }

  @Test func `B13: a scope wider than the grant is invalid_scope, a narrower one narrows`() async {
    let token = await bench.mint(scope: "openid email").refreshToken
    #expect(
      await bench.refresh(token, ["scope": "openid \(Bench.readonly)"]).error.hasPrefix("400 invalid_scope"))
    #expect(await bench.refresh(token, ["scope": "email"]).scopes == [Bench.email])
    #expect(await bench.refresh(token).scopes == ["openid", Bench.email])
  }

  @Test(arguments: [
    ([:], "400 unsupported_grant_type Invalid grant_type: "),
    (["grant_type": "password"], "400 unsupported_grant_type Invalid grant_type: password"),
    (["grant_type": "refresh_token"], "400 invalid_request Could not determine client ID from request."),
    (
      ["grant_type": "refresh_token", "client_id": "nobody"],
      "401 invalid_client The OAuth client was not found."
    ),
    (
      ["grant_type": "refresh_token", "client_id": Bench.ios],
      "400 invalid_request Missing required parameter: refresh_token"
    ),
    (
      ["grant_type": "refresh_token", "client_id": Bench.ios, "refresh_token": "1//no"],
      "400 invalid_grant Bad Request"
    ),
    (
      ["grant_type": "authorization_code", "client_id": Bench.ios, "code": "x", "redirect_uri": "y"],
      "400 invalid_grant Malformed auth code."
    ),
  ])
  func `bad requests get Google's errors`(form: [String: String], expected: String) async {
    #expect(await bench.post("/token", form: form).error == expected)
  }

  @Test func `a parameter that comes twice is invalid_request`() async {
    let reply = await bench.post("/token", body: "grant_type=refresh_token&client_id=a&client_id=a")
    #expect(reply.error == "400 invalid_request OAuth 2 parameters can only have a single value: client_id")
  }

  @Test func `a refresh token of another client is 401 unauthorized_client`() async {
    let token = await bench.mint(client: Bench.otherIOS).refreshToken
    #expect(await bench.refresh(token).error == "401 unauthorized_client Unauthorized")
  }

  @Test func `the legacy addresses answer too, and GET does not`() async {
    let token = await bench.mint().refreshToken
    for path in ["/oauth2/v4/token", "/o/oauth2/token"] {
      let form = ["grant_type": "refresh_token", "refresh_token": token, "client_id": Bench.ios]
      #expect(await bench.post(path, form: form).status == 200)
    }
    #expect(await bench.get("/token").status == 404)
  }

  @Test func `with rotation each refresh token dies at its use`() async {
    await bench.control("settings", ["rotate_refresh_tokens": true])
    let first = await bench.mint().refreshToken
    let second = await bench.refresh(first).refreshToken
    #expect(second.hasPrefix("1//") && second != first)
    #expect(await bench.refresh(first).error == "400 invalid_grant Token has been expired or revoked.")
    #expect(await bench.refresh(second).status == 200)
  }

  @Test func `B1: the scopes of a reply come in an order of their own`() async {
    let asked = "\(Bench.email) openid \(Bench.readonly) https://www.googleapis.com/auth/userinfo.profile"
    let reply = await bench.mint(scope: asked)
    #expect(reply.text("scope") != asked)
    #expect(reply.scopes == Set(asked.split(separator: " ").map(String.init)))
    let sameAgain = await bench.mint(scope: reply.text("scope"))
    #expect(sameAgain.text("scope") != reply.text("scope"))
  }
}
