import HTTP
import PayPulseKit
import Primitives
import Testing
import WireModels

/// A connect with the network cut at each point: the server ends up with the grant exactly once, from one consent.
@Suite("Cut points of a connect")
struct CutPointTests {
  private func connected(_ outcome: ConnectOutcome?) -> Bool {
    if case .connected? = outcome { true } else { false }
  }

  @Test("before the consent: nothing was granted, and nothing stays behind")
  func beforeConsent() async throws {
    let device = try Device()
    await #expect(throws: ConnectError.google(.network(.unreachable), kept: false)) {
      try await device.connector { _ throws(AuthorizationError) in throw .network(.unreachable) }
        .connect(in: Fixture.session())
    }
    #expect(await device.store.records.isEmpty)
    #expect(try await device.delivery.deliverPending(in: Fixture.session()) == nil)
  }

  @Test("at the code exchange: the code is kept and redeemed later, after a restart too")
  func codeExchange() async throws {
    let device = try Device()
    await device.world.cut(.token, .beforeArrival)
    await #expect(throws: ConnectError.google(.network(.unreachable), kept: true)) {
      try await device.connector().connect(in: Fixture.session())
    }
    device.clock.advance(.seconds(300))
    #expect(connected(try await device.restarted().deliverPending(in: Fixture.session())))
    #expect(await device.world.stored.count == 1)
    #expect(await device.store.records.isEmpty)
  }

  @Test("at the code exchange, within one call: the network comes back and no one notices")
  func codeExchangeRepeated() async throws {
    let device = try Device(attempts: 3)
    await device.world.cut(.token, .beforeArrival, times: 2)
    #expect(connected(try await device.connector().connect(in: Fixture.session())))
  }

  @Test("at the code exchange, before its reply: the code is spent, so the person is asked again")
  func spentCode() async throws {
    let device = try Device()
    await device.world.cut(.token, .beforeReply)
    await #expect(throws: ConnectError.google(.network(.connectionLost), kept: true)) {
      try await device.connector().connect(in: Fixture.session())
    }
    await #expect(throws: ConnectError.expired) {
      try await device.restarted().deliverPending(in: Fixture.session())
    }
    #expect(await device.store.records.isEmpty)
    #expect(connected(try await device.connector().connect(in: Fixture.session())))
    #expect(await device.world.stored.count == 1)
  }

  @Test("a code past its life is not sent, but asked for anew")
  func oldCode() async throws {
    let device = try Device()
    await device.world.cut(.token, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    device.clock.advance(.seconds(601))
    #expect(connected(try await device.connector().connect(in: Fixture.session())))
    #expect(await device.world.forms.count == 1)
  }

  @Test("before the upload: the tokens are kept before they are sent, and delivered after a restart")
  func beforeUpload() async throws {
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    await #expect(throws: ConnectError.server(.unreachable(.unreachable), kept: true)) {
      try await device.connector().connect(in: Fixture.session())
    }
    #expect(await device.world.uploads.isEmpty)
    #expect(connected(try await device.restarted().deliverPending(in: Fixture.session())))
    #expect(await device.world.stored.count == 1)
    #expect(try await device.restarted().deliverPending(in: Fixture.session()) == nil)
  }

  @Test("after the upload, before its reply: the same tokens go again, which the server takes as one")
  func beforeReply() async throws {
    let device = try Device()
    await device.world.cut(.upload, .beforeReply)
    await #expect(throws: ConnectError.server(.unreachable(.connectionLost), kept: true)) {
      try await device.connector().connect(in: Fixture.session())
    }
    #expect(connected(try await device.restarted().deliverPending(in: Fixture.session())))
    let uploads = await device.world.uploads
    #expect(uploads.count == 2)
    #expect(uploads[0] == uploads[1])
  }

  @Test(
    "the process dies while the browser is open: another process finishes with the redirect, and only ours")
  func redirectElsewhere() async throws {
    let device = try Device()
    let owner = UndeliveredTokens.Owner(try Fixture.session())
    let (redirect, record) = try await openedAndKilled(device, owner)
    await device.store.remove(owner)
    #expect(try await device.restarted().resume(redirect: redirect, in: Fixture.session()) == nil)
    try await device.store.save(record)
    await #expect(throws: ConnectError.google(.notOurs(.state), kept: false)) {
      try await device.restarted().resume(redirect: redirect + "&state=x", in: Fixture.session())
    }
    #expect(connected(try await device.restarted().resume(redirect: redirect, in: Fixture.session())))
    #expect(await device.world.stored.count == 1)
  }

  /// The redirect that comes when the process is gone, and what it left on disk.
  private func openedAndKilled(
    _ device: Device, _ owner: UndeliveredTokens.Owner
  ) async throws -> (String, UndeliveredTokens) {
    let kept = Kept()
    _ = try? await device.connector { page throws(AuthorizationError) in
      await kept.keep(await FakeBrowser(world: device.world).consented(page), await device.store.load(owner))
      throw .cancelled
    }.connect(in: Fixture.session())
    return (try #require(await kept.redirect), try #require(await kept.record))
  }

  @Test("old tokens are refreshed before they are delivered")
  func refreshedFirst() async throws {
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    device.clock.advance(.seconds(86400))
    #expect(connected(try await device.restarted().deliverPending(in: Fixture.session())))
    #expect(await device.world.forms.map { $0["grant_type"] } == ["authorization_code", "refresh_token"])
    let upload = try #require(await device.world.uploads.first)
    #expect(upload.expiresIn == 3599)
    #expect(upload.refreshToken?.hasPrefix("1//") == true)
  }

  @Test(
    "old tokens without a refresh token, or with a dead one, are erased: connect again",
    arguments: [true, false])
  func beyondUse(hadRefreshToken: Bool) async throws {
    let device = try Device()
    if !hadRefreshToken { await device.world.withholdRefreshToken() }
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    if hadRefreshToken { await device.world.answer(.token, 400, #"{"error":"invalid_grant"}"#) }
    device.clock.advance(.seconds(3600))
    await #expect(throws: ConnectError.expired) {
      try await device.delivery.deliverPending(in: Fixture.session())
    }
    #expect(await device.store.records.isEmpty)
  }

  @Test("a wrong clock: the server finds the access token dead, one refresh mends it")
  func wrongClock() async throws {
    let device = try Device()
    let refusal = #"{"error":{"code":"INVALID_CREDENTIALS","message":"m","reason":"access_token_invalid"}}"#
    await device.world.answer(.upload, 400, refusal)
    #expect(connected(try await device.connector().connect(in: Fixture.session())))
    await device.world.answer(.upload, 400, refusal)
    await device.world.answer(.upload, 400, refusal)
    await #expect(throws: ConnectError.self) { try await device.connector().connect(in: Fixture.session()) }
    #expect(await device.store.records.isEmpty)
  }

  @Test("a definite refusal erases the tokens")
  func refused() async throws {
    let device = try Device()
    await device.world.answer(
      .upload, 400, #"{"error":{"code":"INVALID_CREDENTIALS","message":"m","reason":"wrong_audience"}}"#)
    let refusal = APIError.Refusal(
      status: 400, code: .invalidCredentials, message: "m", reason: .wrongAudience)
    await #expect(throws: ConnectError.server(.refused(refusal), kept: false)) {
      try await device.connector().connect(in: Fixture.session())
    }
    #expect(await device.store.records.isEmpty)
  }

  @Test(
    "an ended session, a busy or broken server and a gateway's own refusal keep them",
    arguments: [
      (401, #"{"error":{"code":"TOKEN_EXPIRED","message":"Expired token"}}"#),
      (429, #"{"error":{"code":"RATE_LIMITED","message":"m"}}"#), (500, ""), (502, ""),
      (403, "<html>portal</html>"),
      (503, #"{"error":{"code":"GMAIL_NOT_CONFIGURED","message":"m"}}"#), (200, "<html>portal</html>"),
    ])
  func kept(status: Int, body: String) async throws {
    let device = try Device()
    await device.world.answer(.upload, status, body)
    let error = await #expect(throws: ConnectError.self) {
      try await device.connector().connect(in: Fixture.session())
    }
    #expect(error?.isKept == true)
    let later = try Fixture.session(token: "after the next sign-in")
    #expect(connected(try await device.restarted().deliverPending(in: later)))
    #expect(await device.world.uploads.map(\.session) == ["Bearer " + later.token.expose()])
  }

  @Test("another user of the device never gets the first one's tokens")
  func otherUser() async throws {
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session("user_1"))
    #expect(try await device.delivery.deliverPending(in: Fixture.session("user_2")) == nil)
    _ = try await device.connector().connect(in: Fixture.session("user_2"))
    #expect(await device.world.uploads.count == 1)
    #expect(await device.store.records.count == 1)
    _ = try await device.delivery.deliverPending(in: Fixture.session("user_1"))
    let uploads = await device.world.uploads
    #expect(uploads[1].session == "Bearer " + (try Fixture.session("user_1").token.expose()))
    #expect(Set(uploads.map(\.accessToken)).count == 2)
  }

  @Test("two callers at once make one delivery")
  func coalesced() async throws {
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    let session = try Fixture.session()
    async let first = device.delivery.deliverPending(in: session)
    async let second = device.delivery.deliverPending(in: session)
    _ = try await (first, second)
    #expect(await device.world.uploads.count == 1)
  }
}

private actor Kept {
  private(set) var redirect: String?
  private(set) var record: UndeliveredTokens?
  func keep(_ redirect: String, _ record: UndeliveredTokens?) {
    self.redirect = redirect
    self.record = record
  }
}
