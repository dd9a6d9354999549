import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct RefreshTokenLifeTests {
  let bench = Bench()
  private let revoked = "400 invalid_grant Token has been expired or revoked."
  private let forgotten = "400 invalid_grant Bad Request"

  @Test func `A9: the 101st sign-in silently ends the oldest refresh token`() async {
    let first = await bench.mint().refreshToken
    let second = await bench.mint().refreshToken
    for _ in 0..<98 { _ = await bench.mint() }
    #expect(await bench.refresh(first).status == 200)
    let last = await bench.mint().refreshToken
    #expect(await bench.refresh(first).error == revoked)
    #expect(await bench.refresh(second).status == 200)
    #expect(await bench.refresh(last).status == 200)
  }

  @Test func `A9: the cap counts each client and each account by itself`() async {
    let other = await bench.mint(client: Bench.otherIOS).refreshToken
    let bob = await bench.mint(Bench.bob).refreshToken
    for _ in 0..<101 { _ = await bench.mint() }
    #expect(await bench.refresh(other, client: Bench.otherIOS).status == 200)
    #expect(await bench.refresh(bob).status == 200)
  }

  @Test func `the text of a death changes after twelve hours, the error does not`() async {
    let token = await bench.mint().refreshToken
    await bench.control("grants/revoke", ["email": .string(Bench.alice)])
    await bench.advance(seconds: 12 * 3600 - 1)
    #expect(await bench.refresh(token).error == revoked)
    await bench.advance(seconds: 1)
    #expect(await bench.refresh(token).error == forgotten)
  }

  @Test func `in testing mode a grant that reads mail lives seven days from consent`() async {
    await bench.control("settings", ["testing_mode": true])
    let reply = await bench.mint()
    #expect(reply.json["refresh_token_expires_in"] == 604_800)
    await bench.advance(days: 6)
    #expect(await bench.refresh(reply.refreshToken).json["refresh_token_expires_in"] == 86_400)
    await bench.advance(days: 1)
    #expect(await bench.refresh(reply.refreshToken).error == revoked)
  }

  @Test func `in testing mode a grant that only identifies lives on`() async {
    await bench.control("settings", ["testing_mode": true])
    let reply = await bench.mint(scope: "openid email profile")
    #expect(reply.json["refresh_token_expires_in"] == nil)
    await bench.advance(days: 30)
    #expect(await bench.refresh(reply.refreshToken).status == 200)
  }

  @Test func `turning testing mode on puts older grants under its rule`() async {
    let token = await bench.mint().refreshToken
    await bench.control("settings", ["testing_mode": true])
    await bench.advance(days: 7)
    #expect(await bench.refresh(token).error == revoked)
  }

  @Test func `six months without use end a grant, and a refresh starts them anew`() async {
    let used = await bench.mint().refreshToken
    let idle = await bench.mint().refreshToken
    await bench.advance(days: 181)
    #expect(await bench.refresh(used).status == 200)
    await bench.advance(days: 2)
    #expect(await bench.refresh(used).status == 200)
    #expect(await bench.refresh(idle).error == forgotten)
  }

  @Test func `an access token dies when its lifetime is over`() async {
    await bench.control("settings", ["access_token_lifetime_seconds": 10])
    let reply = await bench.mint()
    #expect(reply.json["expires_in"] == 10)
    await bench.advance(seconds: 9)
    #expect(await bench.gmail("profile", token: reply.accessToken).status == 200)
    await bench.advance(seconds: 1)
    #expect(await bench.gmail("profile", token: reply.accessToken).status == 401)
  }
}
