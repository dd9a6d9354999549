import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

@Suite("Tokens that the server does not have yet", .serialized) @MainActor
struct DeliveringTests {
  private let ada = World.accounts[0]
  private let grace = World.accounts[1]

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
