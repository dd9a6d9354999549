import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

@Suite("The connection to Gmail, state by state") @MainActor
struct GmailConnectionModelTests {
  private let ada = World.accounts[0]
  private let grace = World.accounts[1]

  @Test("not connected, connecting, connected, disconnected", arguments: Transport.allCases, Consent.allCases)
  func wholeLife(transport: Transport, consent: Consent) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, consent)
      let gmail = try await phone.signUp()
      #expect(gmail.state == .notConnected)
      #expect(gmail.display == .connectButton)

      let gate = world.network.pause(.consent)
      let work = await held(at: gate) { await gmail.connect() }
      #expect(gmail.state == .connecting)
      #expect(gmail.isBusy)
      await gmail.connect()
      gate.open()
      await work.value
      #expect(gmail.state == .connected(address: ada))
      #expect(gmail.display == .connectedAddress(ada))
      #expect(phone.person.consents == 1)
      #expect(phone.undeliveredFiles == 0)
      #expect(try await world.backend.mailboxes() == ["user@example.com": ada])

      try await phone.profile.disconnectGmail()
      #expect(gmail.state == .notConnected)
      #expect(gmail.notice == Message(.disconnected))
      #expect(gmail.display == .connectButton)
      #expect(try await world.calls(of: "revoke") == 1)
    }
  }

  @Test(
    "unknown until the server has said, and a failure to ask it can be tried again",
    arguments: Transport.allCases)
  func unknown(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gate = world.network.pause(.profile)
      let work = await held(at: gate) { _ = try? await phone.signUp() }
      let gmail = try phone.gmail
      #expect(gmail.state == .unknown)
      #expect(gmail.display == .unknown)
      gate.open()
      await work.value

      world.network.isDown = true
      let later = try Phone(in: world, disk: phone.disk)
      await later.root.start()
      #expect(try later.gmail.state == .failed(Message(.serverUnreachable), canRetry: true))
      #expect(try later.gmail.display == .unknown)
      world.network.isDown = false
      try await later.gmail.retry()
      #expect(try later.gmail.state == .notConnected)
    }
  }

  @Test(
    "limited: a grant without a refresh token works for a while, and then needs a reconnect",
    arguments: Transport.allCases)
  func limited(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, .sdk)
      await phone.sdk.withholdRefreshToken()
      let gmail = try await phone.signUp()
      await gmail.connect()
      guard case .limited(ada, let until?) = gmail.state else { throw Surprise("\(gmail.state)") }
      #expect(until > world.clock.now)
      #expect(gmail.display == .connectedAddress(ada))
      world.clock.now = until
      await gmail.resume()
      #expect(
        gmail.state
          == .needsReconnect(address: ada, why: Message(.accessEnded), whatToDo: Message(.reconnect)))
      #expect(gmail.display == .connectButton)
    }
  }

  @Test("blocked: an administrator refuses at present, and the address stays", arguments: Transport.allCases)
  func blocked(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      try await world.fault("token", status: 400, body: #"{"error":"admin_policy_enforced"}"#, times: 1)
      try await world.backend.useConnection(of: "user@example.com")
      await gmail.resume()
      #expect(gmail.state == .blocked(address: ada, why: Message(.blockedByAdministrator)))
      #expect(gmail.display == .connectedAddress(ada))
    }
  }

  @Test(
    "needs a reconnect: says why and what to do, and connecting again mends it",
    arguments: [
      (#"{"error":"invalid_grant"}"#, MessageKey.grantWithdrawn, MessageKey.reconnect),
      (
        #"{"error":"invalid_grant","error_subtype":"invalid_rapt"}"#, .organisationAsksAgain,
        .reconnectAndAskAdministrator
      ),
    ], Transport.allCases)
  func needsReconnect(death: (String, MessageKey, MessageKey), transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      try await world.fault("token", status: 400, body: death.0, times: 1)
      try await world.backend.useConnection(of: "user@example.com")
      await gmail.resume()
      #expect(
        gmail.state == .needsReconnect(address: ada, why: Message(death.1), whatToDo: Message(death.2)))
      #expect(gmail.display == .connectButton)
      await gmail.connect()
      #expect(gmail.state == .connected(address: ada))
    }
  }

  @Test("needs a reconnect: what the server keeps does not open", arguments: Transport.allCases)
  func unreadable(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      try await world.backend.corruptConnection(of: "user@example.com")
      await gmail.resume()
      #expect(
        gmail.state
          == .needsReconnect(address: ada, why: Message(.connectionUnreadable), whatToDo: Message(.reconnect))
      )
    }
  }

  @Test(
    "B10: another account is chosen freely, warned of, and stays once the warning was read",
    arguments: Transport.allCases, Consent.allCases)
  func switched(transport: Transport, consent: Consent) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, consent)
      let gmail = try await phone.signUp()
      await gmail.connect()
      try await world.signInAtGoogle(as: grace)
      await phone.sdk.forgetCalls()
      await gmail.connect()
      // Someone who stays signed in to the SDK could not choose.
      #expect(await phone.sdk.calls == (consent == .sdk ? [.signOut, .signIn] : []))
      let warning = GmailConnectionModel.State.switched(
        from: ada, to: grace, warning: Message(.switched, ada, grace))
      #expect(gmail.state == warning)
      await gmail.resume()
      #expect(gmail.state == warning)
      #expect(gmail.display == .connectedAddress(grace))
      gmail.acknowledgeSwitch()
      #expect(gmail.state == .connected(address: grace))
      await gmail.connect()
      #expect(gmail.state == .connected(address: grace))
      #expect(try await world.backend.mailboxes() == ["user@example.com": grace])
    }
  }

  @Test(
    "delivering: Google has granted and the server does not know yet; resuming goes on",
    arguments: Transport.allCases)
  func delivering(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      await gmail.connect()
      #expect(gmail.state == .delivering(problem: Message(.serverUnreachable)))
      #expect(gmail.display == .connectButton)
      let gate = world.network.pause(.upload)
      let work = await held(at: gate) { await phone.root.resume() }
      #expect(gmail.state == .delivering(problem: nil))
      gate.open()
      await work.value
      #expect(gmail.state == .connected(address: ada))
      #expect(phone.person.consents == 1)
    }
  }

  @Test(
    "delivering: the tokens outlast a server whose Google is down, and a night", arguments: Transport.allCases
  )
  func deliveredLater(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      try await world.fault("tokeninfo", status: 503, times: 20)
      await gmail.connect()
      #expect(gmail.state == .delivering(problem: Message(.serverUnavailable)))
      try await world.fault("tokeninfo", status: 503, times: 0)
      world.clock.advance(by: .seconds(8 * 3600))
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
      #expect(phone.person.consents == 1)
    }
  }

  @Test("declining and closing are told apart, and both can be tried again", arguments: Transport.allCases)
  func declined(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      phone.person.answer = .declines
      await gmail.connect()
      #expect(gmail.state == .failed(Message(.consentDeclined), canRetry: true))
      phone.person.answer = .closes
      await gmail.retry()
      #expect(gmail.state == .failed(Message(.consentCancelled), canRetry: true))
      #expect(gmail.display == .connectButton)
      gmail.acknowledgeFailure()
      #expect(gmail.state == .notConnected)
      await gmail.connect()
      phone.person.answer = .consents
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
    }
  }

  @Test(
    "B1 and B2: an unticked box is told, declining once more leaves it so, and ticking it connects",
    arguments: Transport.allCases, Consent.allCases)
  func mailPermission(transport: Transport, consent: Consent) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, consent)
      let gmail = try await phone.signUp()
      try await world.untick([MailPermission.readMail])
      await gmail.connect()
      let missing = GmailConnectionModel.State.failed(Message(.mailPermissionMissing, ada), canRetry: true)
      #expect(gmail.state == missing)
      #expect(world.network.sent(.upload) == 0)
      phone.person.answer = .declines
      await gmail.retry()
      #expect(gmail.state == missing)
      #expect(try phone.profile.gmail === gmail)
      phone.person.answer = .consents
      try await world.untick([])
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
    }
  }

  @Test(
    "I-28: a change of mind while connected leaves the connection as it was", arguments: Consent.allCases,
    Transport.allCases)
  func changeOfMind(consent: Consent, transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, consent)
      let gmail = try await phone.signUp()
      await gmail.connect()
      phone.person.answer = .closes
      await gmail.connect()
      #expect(gmail.display == .connectedAddress(ada))
      #expect(try await world.calls(of: "revoke") == 0)
      try await world.backend.useConnection(of: "user@example.com")
      await gmail.retry()
      await gmail.resume()
      #expect(gmail.display == .connectedAddress(ada))
      #expect(try await world.backend.mailboxes() == ["user@example.com": ada])
    }
  }

  @Test("a disconnect that Google cannot hear of is done, and says so", arguments: Transport.allCases)
  func disconnectedLater(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      try await world.fault("revoke", status: 503, times: 1)
      await gmail.disconnect()
      #expect(gmail.state == .notConnected)
      #expect(gmail.notice == Message(.disconnectedGoogleLater))
    }
  }

  @Test("a disconnect that did not happen says so, and changes nothing", arguments: Transport.allCases)
  func disconnectFailed(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      world.network.cut(.disconnect, .beforeArrival)
      await gmail.disconnect()
      #expect(gmail.state == .connected(address: ada))
      #expect(gmail.notice == Message(.serverUnreachable))
    }
  }

  @Test(
    "a disconnect erases what is undelivered too, so that nothing reconnects behind the person's back",
    arguments: Transport.allCases)
  func disconnectForgets(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      await gmail.connect()
      #expect(phone.undeliveredFiles == 1)
      await gmail.disconnect()
      await gmail.resume()
      #expect(gmail.state == .notConnected)
      #expect(phone.undeliveredFiles == 0)
    }
  }

  @Test(
    "the server refuses for good: the tokens are erased, and the message says what to do",
    arguments: Transport.allCases)
  func refused(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      try await world.fault("tokeninfo", status: 400, body: #"{"error":"invalid_token"}"#, times: 2)
      await gmail.connect()
      #expect(gmail.state == .failed(Message(.tokensRefused), canRetry: true))
      #expect(phone.undeliveredFiles == 0)
      try await world.fault("tokeninfo", status: 400, times: 0)
      await gmail.retry()
      #expect(gmail.state == .connected(address: ada))
    }
  }

  @Test("a network that comes back while a try is failing is not missed", arguments: Transport.allCases)
  func resumedAfter(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      let gate = world.network.pause(.token)
      let work = await held(at: gate) { await gmail.connect() }
      await phone.root.resume()
      #expect(gmail.state == .connecting)
      gate.open()
      await work.value
      #expect(gmail.state == .connected(address: ada))
      #expect(phone.person.consents == 1)
    }
  }

  @Test(
    "undelivered tokens that are of no use are asked for anew, and that is seen",
    arguments: Transport.allCases)
  func askedAnew(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.token, .beforeArrival)
      await gmail.connect()
      #expect(gmail.state == .delivering(problem: Message(.googleUnreachable)))
      world.clock.advance(by: .seconds(601))
      let gate = world.network.pause(.consent)
      let work = await held(at: gate) { await gmail.connect() }
      #expect(gmail.state == .connecting)
      gate.open()
      await work.value
      #expect(gmail.state == .connected(address: ada))
    }
  }

  @Test(
    "what is undelivered can be given up, and the connection that there is stays",
    arguments: Transport.allCases)
  func discarded(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      try await world.signInAtGoogle(as: grace)
      world.network.cut(.upload, .beforeArrival)
      await gmail.connect()
      #expect(gmail.state == .delivering(problem: Message(.serverUnreachable)))
      #expect(gmail.display == .connectedAddress(ada))
      await gmail.discardUndelivered()
      #expect(gmail.state == .connected(address: ada))
      #expect(phone.undeliveredFiles == 0)
      #expect(try await world.backend.mailboxes() == ["user@example.com": ada])
    }
  }

  @Test(
    "logging out and forgetting while a connect is under way leaves nothing on the device",
    arguments: Transport.allCases)
  func forgottenMeanwhile(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      let gate = world.network.pause(.token)
      let work = await held(at: gate) { await gmail.connect() }
      try await phone.profile.logOut(forgetting: true)
      #expect(phone.isSignedOut)
      gate.open()
      await work.value
      #expect(phone.undeliveredFiles == 0)
      #expect(phone.isSignedOut)
    }
  }

  @Test(
    "after a receipt whose profile does not come, what was shown before counts no more, and the receipt stands",
    arguments: Transport.allCases)
  func receiptWithoutProfile(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.profile, .beforeArrival)
      await gmail.connect()
      #expect(gmail.state == .connected(address: ada))
      #expect(gmail.display == .unknown)
      guard case .loaded = try phone.profile.state else { throw Surprise("the profile is gone") }
      await phone.root.resume()
      #expect(gmail.display == .connectedAddress(ada))
    }
  }
}
