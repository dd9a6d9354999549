import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct RevokeTests {
  let bench = Bench()
  private let gone = "400 invalid_token Token expired or revoked"

  private func revoke(_ token: String) async -> Reply { await bench.post("/revoke", form: ["token": token]) }

  @Test func `revoking a refresh token ends the account's whole grant, whatever the client`() async {
    let here = await bench.mint()
    let there = await bench.mint(client: Bench.otherIOS)
    let bob = await bench.mint(Bench.bob)
    let reply = await revoke(here.refreshToken)
    #expect(reply.status == 200 && reply.body == "{}")
    #expect(await bench.refresh(there.refreshToken, client: Bench.otherIOS).error.contains("invalid_grant"))
    #expect(await bench.gmail("profile", token: there.accessToken).status == 401)
    #expect(await bench.refresh(bob.refreshToken).status == 200)
  }

  @Test func `another project's app keeps its own grant, and loses it alone`() async {
    let ours = await bench.mint()
    let foreign = await bench.mint(client: "999-somebody.apps.googleusercontent.com")
    #expect(await revoke(ours.refreshToken).status == 200)
    #expect(await bench.gmail("profile", token: foreign.accessToken).status == 200)
    let again = await bench.mint()
    #expect(await revoke(foreign.accessToken).status == 200)
    #expect(await bench.gmail("profile", token: foreign.accessToken).status == 401)
    #expect(await bench.refresh(again.refreshToken).status == 200)
  }

  @Test func `a person who withdraws access withdraws all of it`() async {
    let ours = await bench.mint()
    let foreign = await bench.mint(client: "999-somebody.apps.googleusercontent.com")
    await bench.control("grants/revoke", ["email": .string(Bench.alice)])
    #expect(await bench.refresh(ours.refreshToken).status == 400)
    #expect(await bench.gmail("profile", token: foreign.accessToken).status == 401)
  }

  @Test func `revoking an access token ends its refresh token too`() async {
    let minted = await bench.mint()
    #expect(await bench.post("/revoke?token=\(minted.accessToken)", form: [:]).status == 200)
    #expect(await bench.refresh(minted.refreshToken).error.hasPrefix("400 invalid_grant"))
  }

  @Test func `revoking again is invalid_token`() async {
    let minted = await bench.mint()
    #expect(await revoke(minted.refreshToken).status == 200)
    #expect(await revoke(minted.refreshToken).error == gone)
    #expect(await revoke("1//never").error == gone)
  }

  @Test func `H12: GET is 404, except at the legacy address`() async {
    let minted = await bench.mint()
    #expect(await bench.get("/revoke?token=\(minted.refreshToken)").status == 404)
    #expect(await bench.refresh(minted.refreshToken).status == 200)
    #expect(await bench.get("/o/oauth2/revoke?token=\(minted.refreshToken)").status == 200)
    #expect(await bench.refresh(minted.refreshToken).status == 400)
  }

  @Test func `H14: an expired access token cannot revoke`() async {
    let minted = await bench.mint()
    await bench.advance(seconds: 3600)
    #expect(await revoke(minted.accessToken).error == gone)
    #expect(await bench.refresh(minted.refreshToken).status == 200)
  }

  @Test func `without a token there is nothing to revoke`() async {
    #expect(await revoke("").error == "400 invalid_request Missing required parameter: token")
  }
}
