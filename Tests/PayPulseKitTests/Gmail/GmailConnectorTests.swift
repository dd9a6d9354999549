import HTTP
import PayPulseKit
import Primitives
import Testing
import WireModels

@Suite("Connecting Gmail")
struct GmailConnectorTests {
  private let identityOnly = "openid https://www.googleapis.com/auth/userinfo.email"

  @Test("the whole way: consent, exchange, upload in the user's session, nothing left behind")
  func connects() async throws {
    let device = try Device()
    let outcome = try await device.connector().connect(in: Fixture.session())
    guard case .connected(let data) = outcome else { throw Fixture.Unexpected() }
    #expect(data.googleEmail == "jane@gmail.com")
    let upload = try #require(await device.world.uploads.first)
    #expect(upload.session == "Bearer " + (try Fixture.session().token.expose()))
    #expect(upload.refreshToken?.hasPrefix("1//") == true)
    #expect(upload.scope == MailPermission.asked)
    #expect(await device.store.records.isEmpty)
  }

  @Test("I-60: the lifetime that is handed over is what is left, not a constant")
  func remainingLife() async throws {
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    device.clock.advance(.seconds(599))
    _ = try await device.delivery.deliverPending(in: Fixture.session())
    #expect(await device.world.uploads.map(\.expiresIn) == [3000])
  }

  @Test("B1: a consent without the mail box ticked hands nothing over and says what is missing")
  func unticked() async throws {
    let device = try Device()
    await device.world.grant(scope: identityOnly)
    let outcome = try await device.connector().connect(in: Fixture.session())
    guard case .mailPermissionMissing(let missing) = outcome else { throw Fixture.Unexpected() }
    #expect(missing.email == "jane@gmail.com")
    #expect(missing.grantedScopes == identityOnly.split(separator: " ").map(String.init))
    #expect(await device.world.uploads.isEmpty)
    #expect(await device.store.records.isEmpty)
  }

  @Test("G3: asking again asks the same account for the mail permission, and then connects")
  func askAgain() async throws {
    let device = try Device()
    await device.world.grant(scope: identityOnly)
    guard
      case .mailPermissionMissing(let missing) = try await device.connector().connect(in: Fixture.session())
    else { throw Fixture.Unexpected() }
    await device.world.grant(scope: identityOnly + " " + MailPermission.readMail)
    let outcome = try await device.connector { page in
      #expect(page.parameters["login_hint"] == "jane@gmail.com")
      #expect(page.parameters["scope"] == MailPermission.askedAgain.joined(separator: " "))
      return await FakeBrowser(world: device.world).consented(page)
    }.askAgain(missing, in: Fixture.session())
    guard case .connected = outcome else { throw Fixture.Unexpected() }
    #expect(await device.world.uploads.count == 1)
  }

  @Test("G3: the server's word on the scope counts too, as an outcome that can be acted on")
  func serverMissesScope() async throws {
    let device = try Device()
    await device.world.answer(
      .upload, 400, #"{"error":{"code":"INVALID_CREDENTIALS","message":"m","reason":"gmail_scope_missing"}}"#)
    let outcome = try await device.connector().connect(in: Fixture.session())
    guard case .mailPermissionMissing = outcome else { throw Fixture.Unexpected() }
    #expect(await device.store.records.isEmpty)
  }

  @Test(
    "B2: declining once more is still 'mail permission missing', and the session stays", arguments: [0, 1])
  func declinedAgain(kind: Int) async throws {
    let device = try Device()
    await device.world.grant(scope: identityOnly)
    guard
      case .mailPermissionMissing(let missing) = try await device.connector().connect(in: Fixture.session())
    else { throw Fixture.Unexpected() }
    let outcome = try await device.connector { page throws(AuthorizationError) in
      if kind == 1 { throw .cancelled }
      return page.attempt.redirectURI + "?error=access_denied&state=" + page.attempt.state.expose()
    }.askAgain(missing, in: Fixture.session())
    #expect(outcome == .mailPermissionMissing(missing))
  }

  @Test(
    "B10: each connect lets the person choose freely, takes only this answer's scopes, and reports a switch")
  func anotherAccount() async throws {
    let device = try Device()
    _ = try await device.connector().connect(in: Fixture.session())
    await device.world.signIn(as: "second@gmail.com")
    await device.world.answer(
      .upload, 201,
      #"""
      {"message":"m","code":201,"data":{"google_email":"second@gmail.com","scope":"s","account_switch":true,
       "message":"Switching from jane@gmail.com to second@gmail.com","previous_google_email":"jane@gmail.com"}}
      """#)
    let outcome = try await device.connector { page in
      #expect(page.parameters["login_hint"] == nil)
      #expect(page.parameters["prompt"] == nil)
      return await FakeBrowser(world: device.world).consented(page)
    }.connect(in: Fixture.session())
    guard case .connected(let data) = outcome else { throw Fixture.Unexpected() }
    #expect(data.accountSwitch)
    #expect(data.previousGoogleEmail == "jane@gmail.com")
    await device.world.grant(scope: identityOnly)
    let third = try await device.connector().connect(in: Fixture.session())
    guard case .mailPermissionMissing = third else { throw Fixture.Unexpected() }
  }

  @Test("A12: a grant without a refresh token is handed over without one, not with an empty text")
  func withoutRefreshToken() async throws {
    let device = try Device()
    await device.world.withholdRefreshToken()
    _ = try await device.connector().connect(in: Fixture.session())
    let upload = try #require(await device.world.uploads.first)
    #expect(upload.refreshToken == nil)
    #expect(upload.accessToken.hasPrefix("ya29."))
  }

  @Test("A9: tokens at hand are delivered instead of asking for consent again")
  func noNeedlessConsent() async throws {
    let device = try Device()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: Fixture.session())
    let outcome = try await device.connector { _ throws(AuthorizationError) in
      Issue.record("asked for a consent that was given")
      throw .cancelled
    }.connect(in: Fixture.session())
    guard case .connected = outcome else { throw Fixture.Unexpected() }
  }

  @Test("I-28: nothing on the way revokes a grant, whatever becomes of the new one")
  func neverRevokes() async throws {
    let device = try Device()
    _ = try await device.connector().connect(in: Fixture.session())
    _ = try? await device.connector { _ throws(AuthorizationError) in throw .cancelled }.connect(
      in: Fixture.session())
    await device.world.grant(scope: identityOnly)
    _ = try await device.connector().connect(in: Fixture.session())
    await device.world.answer(.upload, 400, #"{"error":{"code":"INVALID_CREDENTIALS","message":"m"}}"#)
    await device.world.grant(scope: MailPermission.readMail)
    _ = try? await device.connector().connect(in: Fixture.session())
    let addresses = Set(await device.world.urls)
    #expect(
      addresses == ["https://oauth2.googleapis.com/token", "https://paypulse.example/v1/auth/gmail-tokens"])
  }

  @Test("when the device cannot keep the attempt, the browser does not open")
  func diskFull() async throws {
    let device = try Device()
    await device.store.fill()
    await #expect(throws: ConnectError.storage(.file(path: "full", code: 28))) {
      try await device.connector { _ throws(AuthorizationError) in
        Issue.record("opened")
        throw .cancelled
      }.connect(in: Fixture.session())
    }
  }

  @Test(
    "B3, B7: an authorizer that can only say that there is nobody, somebody else or nothing to ask is asked afresh",
    arguments: [AuthorizationError.scopesAlreadyGranted, .nobodySignedIn, .mismatchWithCurrentUser])
  func askedAfresh(error: AuthorizationError) async throws {
    let device = try Device()
    await device.world.grant(scope: identityOnly)
    guard
      case .mailPermissionMissing(let missing) = try await device.connector().connect(in: Fixture.session())
    else { throw Fixture.Unexpected() }
    await device.world.grant(scope: MailPermission.readMail)
    let outcome = try await device.connector { page throws(AuthorizationError) in
      if page.parameters["login_hint"] != nil { throw error }
      return await FakeBrowser(world: device.world).consented(page)
    }.askAgain(missing, in: Fixture.session())
    guard case .connected = outcome else { throw Fixture.Unexpected() }
  }

  @Test("who waits is told before the person is asked, and only then")
  func willAsk() async throws {
    let device = try Device()
    let asked = InMemorySessionStore()
    let session = try Fixture.session()
    await device.world.cut(.upload, .beforeArrival)
    _ = try? await device.connector().connect(in: session) { await asked.save(session) }
    #expect(await asked.session != nil)
    await asked.remove()
    _ = try await device.connector().connect(in: session) { await asked.save(session) }
    #expect(await asked.session == nil)
  }
}
