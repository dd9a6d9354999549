import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

@Suite("The connection to Gmail, state by state", .serialized) @MainActor
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
}
