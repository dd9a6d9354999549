import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct ControlTests {
  let bench = Bench()

  @Test func `E1: calls are counted by endpoint, faulted ones too, the emulator's own are not`() async {
    let minted = await bench.mint()
    await bench.control("faults", ["endpoint": "token", "status": 500])
    _ = await bench.refresh(minted.refreshToken)
    _ = await bench.refresh(minted.refreshToken)
    _ = await bench.gmail("profile", token: minted.accessToken)
    _ = await bench.authorize()
    let counts = await bench.control("requests", [:], .get).json
    #expect(
      counts == [
        "auth": 1, "token": 2, "tokeninfo": 0, "userinfo": 0, "revoke": 0, "discovery": 0, "jwks": 0,
        "gmail": 1,
        "batch": 0,
      ])
    await bench.control("reset")
    #expect(await bench.control("requests", [:], .get).json["token"] == 0)
  }

  @Test func `E7: a 403 with an HTML body can be planned`() async {
    await bench.control("faults", ["endpoint": "token", "status": 403, "body": "<html>Sorry...</html>"])
    let faulted = await bench.refresh("1//x")
    #expect(faulted.status == 403 && faulted.body == "<html>Sorry...</html>")
    #expect(faulted.response.fields["Content-Type"] == "text/html; charset=utf-8")
    #expect(await bench.refresh("1//x").status == 400)
  }

  @Test func `faults come in order, as often as planned, with their headers, and can be cleared`() async {
    await bench.control(
      "faults",
      ["endpoint": "gmail", "status": 429, "times": 2, "headers": ["Retry-After": 7], "body": "{}"])
    await bench.control("faults", ["endpoint": "gmail", "status": 503])
    let first = await bench.gmail("profile", token: "x")
    #expect(first.status == 429 && first.response.fields["Retry-After"] == "7")
    #expect(await bench.gmail("profile", token: "x").status == 429)
    #expect(await bench.gmail("profile", token: "x").status == 503)
    #expect(await bench.gmail("profile", token: "x").status == 401)
    await bench.control("faults", ["endpoint": "gmail", "status": 503, "times": 9])
    await bench.control("faults", ["endpoint": "gmail", "times": 0])
    #expect(await bench.gmail("profile", token: "x").status == 401)
  }

  @Test(arguments: [
    "message/rfc822", "text/plain", "application/octet-stream", "application/x-www-form-urlencoded",
  ])
  func `a message is taken as it is, whatever type the sender names`(type: String) async {
    let delivered = await bench.send(
      .post, "/_emulator/messages?email=\(Bench.alice)", fields: ["Content-Type": type],
      body: Array(Messages.nested.utf8))
    #expect(delivered.status == 200 && !delivered.text("id").isEmpty)
  }

  @Test func `status 0 asks for a reset`() async {
    await bench.control("faults", ["endpoint": "jwks", "status": 0])
    #expect(await bench.get("/oauth2/v3/certs").status == 0)
  }

  @Test func `a fault without a status only delays, and latency adds to it`() async {
    await bench.control("faults", ["endpoint": "jwks", "delay_ms": 250])
    await bench.control("settings", ["latency_ms": 50])
    #expect(await bench.get("/oauth2/v3/certs").status == 200)
    #expect(await bench.get("/oauth2/v3/certs").status == 200)
    #expect(bench.waits.inOrder == [.milliseconds(300), .milliseconds(50)])
  }

  @Test(arguments: [
    ("faults", #"{"endpoint":"nowhere","status":500}"#), ("faults", #"{"endpoint":"token","status":"500"}"#),
    ("faults", #"{"endpoint":"token","status":500,"times":-1}"#), ("faults", #"{"status":500}"#),
    ("faults", #"{"endpoint":"token","status":200,"headers":{"a b":"c"}}"#),
    ("faults", #"{"endpoint":"token","status":200,"headers":{"a":"c\r\nd: e"}}"#), ("clock", "{}"),
    ("clock", #"{"advance_seconds":-1}"#), ("accounts", #"{"email":"nobody"}"#), ("accounts", "[]"),
    ("accounts", ""), ("settings", #"{"testing_mode":1}"#), ("settings", #"{"untick_scopes":"x"}"#),
    ("settings", #"{"access_token_lifetime_seconds":-1}"#), ("grants/revoke", #"{"email":"x@example.com"}"#),
    ("tokens", #"{"email":"alice@example.com","client_id":"c"}"#),
    ("tokens", #"{"email":"alice@example.com","client_id":"c","scope":"nonsense"}"#),
    ("tokens", #"{"email":"alice@example.com","client_id":"c","scope":"openid","access_token":"a b"}"#),
    ("messages", #"{"email":"alice@example.com"}"#), ("messages", #"{"email":"x@example.com","raw":"A: b"}"#),
  ])
  func `bad input is 400 with a sentence`(path: String, body: String) async {
    let reply = await bench.send(.post, "/_emulator/" + path, body: Array(body.utf8))
    #expect(reply.status == 400)
    #expect(reply.text("error").hasSuffix("."))
  }

  @Test func `an unknown control endpoint is 404 and a wrong method 405`() async {
    #expect(await bench.control("nothing").status == 404)
    #expect(await bench.control("reset", [:], .get).status == 405)
  }

  @Test func `an account can be added and changed while it keeps its grants`() async {
    await bench.control("accounts", ["email": "carol@example.com", "name": "Carol", "email_verified": false])
    let token = await bench.mint("carol@example.com").accessToken
    await bench.control(
      "accounts", ["email": "CAROL@example.com", "name": "Carol Dahl", "hd": "example.com"])
    let user = await bench.get("/oauth2/v3/userinfo", token: token)
    #expect(user.text("name") == "Carol Dahl" && user.text("hd") == "example.com")
    #expect(user.json["email_verified"] == false)
  }

  @Test func `an address that gets a new sub is another account without the old one's tokens`() async {
    let old = await bench.mint()
    await bench.control("accounts", ["email": .string(Bench.alice), "sub": "42"])
    #expect(await bench.get("/oauth2/v3/userinfo", token: old.accessToken).status == 401)
    #expect(await bench.refresh(old.refreshToken).error == "400 invalid_grant Bad Request")
    #expect(await bench.get("/oauth2/v3/userinfo", token: await bench.mint().accessToken).text("sub") == "42")
  }

  @Test func `fixed tokens are taken as given`() async {
    let reply = await bench.control(
      "tokens",
      [
        "email": .string(Bench.alice), "client_id": .string(Bench.ios), "scope": "openid",
        "access_token": "ya29.A",
        "refresh_token": "1//R",
      ])
    #expect(reply.accessToken == "ya29.A" && reply.refreshToken == "1//R" && reply.scopes == ["openid"])
    #expect(await bench.refresh("1//R").status == 200)
  }

  @Test func `a reset returns to the start`() async {
    let minted = await bench.mint()
    await bench.control("accounts", ["email": "carol@example.com"])
    await bench.control("settings", ["rotate_refresh_tokens": true])
    await bench.control("faults", ["endpoint": "jwks", "status": 500])
    await bench.deliver("Subject: x\n\ny")
    await bench.advance(days: 1)
    await bench.control("reset")
    #expect(await bench.refresh(minted.refreshToken).status == 400)
    #expect(await bench.get("/oauth2/v3/certs").status == 200)
    #expect(await bench.mint("carol@example.com").status == 400)
    let fresh = await bench.mint()
    #expect(await bench.refresh(fresh.refreshToken).json["refresh_token"] == nil)
    #expect(await bench.gmail("profile", token: fresh.accessToken).json["messagesTotal"] == 0)
    let now = await bench.control("clock", ["advance_seconds": 0])
    #expect(now.json["now_seconds"] == .integer(Bench.start.seconds))
  }
}
