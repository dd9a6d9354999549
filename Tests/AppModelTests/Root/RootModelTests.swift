import AppModel
import FoundationEssentials
import Observation
import PayPulseKit
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite("Starting the app", .serialized) @MainActor
struct RootModelTests {
  @Test("nobody is signed in at first; a kept session is taken up later", arguments: Transport.allCases)
  func starts(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      guard case .starting = phone.root.phase else { throw Surprise("\(phone.root.phase)") }
      await phone.root.start()
      #expect(phone.isSignedOut)
      try await phone.signUp()
      let later = try Phone(in: world, disk: phone.disk)
      await later.root.start()
      #expect(try later.gmail.state == .notConnected)
      #expect(world.network.sent(.signIn) == 0)
    }
  }

  @Test(
    "B6: the app deleted and installed anew starts signed out, for the kit, Google's SDK and undelivered tokens",
    arguments: Consent.allCases, Transport.allCases)
  func reinstalled(consent: Consent, transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, consent)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      await gmail.connect()
      #expect(phone.undeliveredFiles == 1)
      #expect((await phone.disk.sdk.user != nil) == (consent == .sdk))
      try phone.disk.deleteApp()

      let later = try Phone(in: world, consent, disk: phone.disk)
      await later.root.start()
      #expect(later.isSignedOut)
      #expect(later.undeliveredFiles == 0)
      #expect(try await phone.disk.sessions.load() == nil)
      #expect(await phone.disk.sdk.user == nil)
      #expect(try await world.calls(of: "revoke") == 0)
    }
  }

  @Test(
    "B6: the server may know more than a new installation: the connection is there after a sign-in",
    arguments: Transport.allCases)
  func serverKnowsMore(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, .sdk)
      try await phone.signUp().connect()
      try phone.disk.deleteApp()
      let later = try Phone(in: world, .sdk, disk: phone.disk)
      await later.root.start()
      #expect(try await later.signIn().state == .connected(address: World.accounts[0]))
    }
  }

  @Test("a device that cannot be read yet signs nobody out, and is read again", arguments: Transport.allCases)
  func unreadable(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      let session = phone.disk.path + "/keychain/session.json"
      let aside = session + ".aside"
      try FileManager.default.moveItem(atPath: session, toPath: aside)
      try FileManager.default.createDirectory(atPath: session, withIntermediateDirectories: false)
      let later = try Phone(in: world, disk: phone.disk)
      await later.root.start()
      guard case .failed(let message) = later.root.phase else { throw Surprise("\(later.root.phase)") }
      #expect(message == Message(.deviceStorageFailed))
      try FileManager.default.removeItem(atPath: session)
      try FileManager.default.moveItem(atPath: aside, toPath: session)
      await later.root.resume()
      #expect(try later.gmail.state == .notConnected)
    }
  }

  @Test("a session of another server is not taken up", arguments: Transport.allCases)
  func otherServer(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      let kept = try #require(try await phone.disk.sessions.load())
      let other = try #require(
        Session(
          server: try ServerAddress("https://other.example"), username: kept.username, token: kept.token))
      try await phone.disk.sessions.save(other)
      let later = try Phone(in: world, disk: phone.disk)
      await later.root.start()
      #expect(later.isSignedOut)
    }
  }

  @Test("a late answer to the user before changes nothing for the one after", arguments: Transport.allCases)
  func lateAnswer(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      let before = try phone.profile
      // The answer says that the session is over.
      world.clock.advance(by: .seconds(86_401))
      let gate = world.network.pause(.profile)
      let late = await held(at: gate) { await before.load() }
      await before.logOut()
      let second = try await phone.signUp("second@example.com")
      gate.open()
      await late.value
      let asked = world.network.sent(.profile)
      await before.load()
      await before.logOut(forgetting: true)
      #expect(world.network.sent(.profile) == asked)
      #expect(try phone.gmail === second)
      #expect(try await phone.disk.sessions.load()?.email == "second@example.com")
    }
  }

  @Test("a view that reads a model hears of its changes")
  func observed() async throws {
    try await World.with(.inProcess) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      let changes = Changes()
      withObservationTracking {
        _ = gmail.state
      } onChange: {
        changes.add("state")
      }
      withObservationTracking {
        _ = gmail.display
      } onChange: {
        changes.add("display")
      }
      withObservationTracking {
        _ = try? phone.profile.state
      } onChange: {
        changes.add("profile")
      }
      withObservationTracking {
        _ = phone.root.phase
      } onChange: {
        changes.add("phase")
      }
      await gmail.connect()
      #expect(changes.seen == ["state", "display", "profile"])
      try await phone.profile.logOut()
      #expect(changes.seen == ["state", "display", "profile", "phase"])
    }
  }
}

/// What changed, from wherever it is told.
private final class Changes: Sendable {
  private let names = Mutex<Set<String>>([])
  var seen: Set<String> { names.withLock { $0 } }
  func add(_ name: String) { names.withLock { _ = $0.insert(name) } }
}
