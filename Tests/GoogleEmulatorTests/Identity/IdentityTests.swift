import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct IdentityTests {
  let bench = Bench()

  @Test func `C3: tokeninfo says every number and flag as a string`() async {
    let token = await bench.mint().accessToken
    let info = await bench.post("/tokeninfo", form: ["access_token": token])
    #expect(info.json.object?.values.allSatisfy { $0.string != nil } == true)
    #expect(info.text("aud") == Bench.ios && info.text("azp") == Bench.ios)
    #expect(info.text("expires_in") == "3599" && info.text("exp") == String(Bench.start.seconds + 3599))
    #expect(info.text("email_verified") == "true" && info.text("access_type") == "offline")
    #expect(info.json["iss"] == nil)
  }

  @Test func `D5: tokeninfo takes the token by query, form and Bearer`() async {
    let token = await bench.mint().accessToken
    for path in ["/tokeninfo", "/oauth2/v3/tokeninfo"] {
      #expect(await bench.get("\(path)?access_token=\(token)").status == 200)
      #expect(await bench.post(path, form: ["access_token": token]).status == 200)
      #expect(await bench.get(path, token: token).status == 200)
      #expect(await bench.post(path, form: [:], fields: ["Authorization": "bearer \(token)"]).status == 200)
      let none = await bench.get(path)
      #expect(none.status == 400 && none.body.contains("access_token, id_token, or token_handle required"))
    }
  }

  @Test func `tokeninfo of a dead or unknown token is invalid_token`() async {
    let token = await bench.mint().accessToken
    await bench.advance(seconds: 3600)
    for text in [token, "ya29.no"] {
      #expect(await bench.get("/tokeninfo?access_token=\(text)").error == "400 invalid_token Invalid Value")
    }
  }

  @Test func `tokeninfo names nobody without an identity scope`() async {
    let info = await bench.get("/tokeninfo", token: await bench.mint(scope: Bench.readonly).accessToken)
    #expect(info.json["sub"] == nil && info.json["email"] == nil && info.status == 200)
    let sub = await bench.get("/tokeninfo", token: await bench.mint(scope: "openid").accessToken)
    #expect(sub.json["sub"] != nil && sub.json["email"] == nil)
  }

  @Test func `tokeninfo reads an ID token that it signed`() async {
    let token = await bench.mint().text("id_token")
    let info = await bench.get("/tokeninfo?id_token=\(token)")
    #expect(
      info.text("email") == Bench.alice && info.text("email_verified") == "true"
        && info.text("alg") == "RS256")
    #expect(await bench.get("/tokeninfo?id_token=\(token.dropLast(4))AAAA").status == 400)
    await bench.advance(seconds: 3600)
    #expect(await bench.get("/tokeninfo?id_token=\(token)").status == 400)
  }

  @Test func `tokeninfo v1 and v2 have their own names and types`() async {
    let token = await bench.mint().accessToken
    for path in ["/oauth2/v1/tokeninfo", "/oauth2/v2/tokeninfo"] {
      let info = await bench.get("\(path)?access_token=\(token)")
      #expect(info.text("audience") == Bench.ios && info.json["expires_in"] == 3599)
      #expect(info.json["verified_email"] == true && !info.text("user_id").isEmpty)
    }
  }

  @Test(arguments: ["/oauth2/v3/userinfo", "/v1/userinfo"])
  func `userinfo v3 says sub and email_verified`(path: String) async {
    let user = await bench.get(path, token: await bench.mint().accessToken)
    #expect(user.text("sub").count == 21 && user.json["email_verified"] == true)
    #expect(user.json["id"] == nil && user.json["verified_email"] == nil && user.json["hd"] == nil)
    #expect(user.text("given_name") == "Alice" && user.text("family_name") == "Andersson")
  }

  @Test(arguments: ["/oauth2/v1/userinfo", "/oauth2/v2/userinfo", "/userinfo/v2/me"])
  func `userinfo v1 and v2 say id and verified_email`(path: String) async {
    let user = await bench.get(path, token: await bench.mint(Bench.bob).accessToken)
    #expect(user.text("id").count == 21 && user.json["verified_email"] == true)
    #expect(user.json["sub"] == nil && user.json["email_verified"] == nil)
    #expect(user.text("hd") == "example.com" && user.json["family_name"] == nil)
  }

  @Test func `userinfo holds only what the scopes cover`() async {
    let user = await bench.get("/oauth2/v3/userinfo", token: await bench.mint(scope: "openid").accessToken)
    #expect(user.json.object?.keys.sorted() == ["sub"])
    let mail = await bench.get(
      "/oauth2/v3/userinfo", token: await bench.mint(scope: Bench.readonly).accessToken)
    #expect(mail.status == 403)
  }

  @Test func `userinfo refuses a bad token in each version's way`() async {
    let flat = await bench.get("/oauth2/v3/userinfo", token: "ya29.no")
    #expect(flat.error == "401 invalid_request Invalid Credentials")
    let envelope = await bench.get("/oauth2/v2/userinfo", token: "ya29.no")
    #expect(envelope.status == 401 && envelope.json["error"]?["status"] == "UNAUTHENTICATED")
  }

  @Test func `userinfo accepts a token made for somebody else's app`() async {
    let token = await bench.mint(client: "999-stranger.apps.googleusercontent.com").accessToken
    #expect(await bench.get("/oauth2/v3/userinfo", token: token).text("email") == Bench.alice)
    #expect(
      await bench.get("/tokeninfo", token: token).text("aud") == "999-stranger.apps.googleusercontent.com")
  }

  @Test func `discovery and keys lie under the address that was asked`() async {
    let facts = await bench.get("/.well-known/openid-configuration").json
    #expect(facts["issuer"] == "https://accounts.google.com")
    let own = facts.object?.filter { $0.key.hasSuffix("_endpoint") || $0.key == "jwks_uri" } ?? [:]
    #expect(own.count == 5)
    #expect(own.values.allSatisfy { $0.string?.hasPrefix("http://127.0.0.1:4000/") == true })
    #expect(await bench.get("/oauth2/v3/certs").json["keys"]?.array?.count == 2)
    #expect(await bench.get("/oauth2/v1/certs").json.object?.count == 2)
  }

  @Test func `a sub is 21 digits and the same in every run`() {
    let account = Account(email: "Alice@Example.com")
    #expect(account.sub == Account(email: "alice@example.com").sub)
    #expect(account.sub.count == 21 && account.sub.allSatisfy(\.isNumber))
    #expect(account.sub != Account(email: "alicf@example.com").sub)
  }
}
