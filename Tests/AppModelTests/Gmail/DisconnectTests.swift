import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

@Suite("Letting go of Gmail, and keeping it", .serialized) @MainActor
struct DisconnectTests {
  private let ada = World.accounts[0]

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
}
