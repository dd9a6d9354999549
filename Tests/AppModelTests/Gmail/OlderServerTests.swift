import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

@Suite("A server that knows no gmail_connection", .serialized) @MainActor
struct OlderServerTests {
  private let ada = World.accounts[0]
  private let grace = World.accounts[1]

  @Test(
    "the button or 'connected' follows gmail_account_connected, and the address may be missing",
    arguments: Transport.allCases)
  func display(transport: Transport) async throws {
    try await World.with(transport, isOld: true) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      #expect(gmail.state == .notConnected)
      #expect(gmail.display == .connectButton)
      await gmail.connect()
      #expect(gmail.display == .connectedAddress(nil))
      let later = try Phone(in: world, disk: phone.disk)
      await later.root.start()
      #expect(try later.gmail.state == .connected(address: nil))
      #expect(try later.gmail.display == .connectedAddress(nil))
      guard case .loaded(let profile) = try later.profile.state else { throw Surprise("no profile") }
      #expect(profile.memberSince?.year == 2025)
    }
  }

  @Test("the warning of a switch shows on account_switch alone", arguments: Transport.allCases)
  func accountSwitch(transport: Transport) async throws {
    try await World.with(transport, isOld: true) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      await gmail.connect()
      #expect(gmail.state == .connected(address: nil))
      try await world.signInAtGoogle(as: grace)
      await gmail.connect()
      #expect(gmail.state == .switched(from: ada, to: grace, warning: Message(.switched, ada, grace)))
      gmail.acknowledgeSwitch()
      #expect(gmail.state == .connected(address: nil))
    }
  }

  @Test("a server that cannot disconnect says so, and the connection stays", arguments: Transport.allCases)
  func disconnect(transport: Transport) async throws {
    try await World.with(transport, isOld: true) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      await gmail.disconnect()
      #expect(gmail.notice == Message(.disconnectUnsupported))
      #expect(gmail.display == .connectedAddress(nil))
    }
  }
}
