import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

/// A place of the flow where the network breaks or the app is killed.
struct CutPoint: CustomTestStringConvertible, Sendable {
  let name: String
  let place: DeviceNetwork.Place
  let moment: DeviceNetwork.Moment
  /// How many consents the person has given by then.
  let consents: Int
  var testDescription: String { name }

  static let beforeConsent = CutPoint(
    name: "before the consent", place: .consent, moment: .beforeArrival, consents: 0)
  static let afterConsent = CutPoint(
    name: "after the consent", place: .token, moment: .beforeArrival, consents: 1)
  static let duringUpload = CutPoint(
    name: "during the upload", place: .upload, moment: .beforeArrival, consents: 1)
  static let afterUpload = CutPoint(
    name: "after the upload, before its reply", place: .upload, moment: .beforeReply, consents: 1)

  /// With the kit's own OAuth the code is on the device, so that even its exchange can wait.
  static let web = [beforeConsent, afterConsent, duringUpload, afterUpload]
  /// Google's SDK exchanges the code itself, within the consent.
  static let sdk = [beforeConsent, duringUpload, afterUpload]

  /// Every way to be cut, with each way to consent.
  static let all = web.map { (Consent.web, $0) } + sdk.map { (Consent.sdk, $0) }
}

/// The whole flow with the network cut, or the app killed, at each step.
@Suite("A connect that is cut short", .serialized) @MainActor
struct CutNetworkTests {
  private let ada = World.accounts[0]
  private let grace = World.accounts[1]

  /// After the network is back: one connection, from one consent, and nothing left on the device.
  private func expectOneConnection(
    _ phone: Phone, consents: Int, uploads: ClosedRange<Int>, in world: World
  ) async throws {
    #expect(try phone.gmail.state == .connected(address: ada))
    #expect(try phone.gmail.display == .connectedAddress(ada))
    #expect(try await world.backend.mailboxes() == ["user@example.com": ada])
    #expect(consents == 1)
    #expect(uploads.contains(world.network.sent(.upload)))
    #expect(phone.undeliveredFiles == 0)
    #expect(try await world.calls(of: "revoke") == 0)
    try await world.backend.useConnection(of: "user@example.com")
    #expect(try await world.backend.mailboxes() == ["user@example.com": ada])
  }

  @Test(
    "the network is cut and comes back: one connection, one consent", arguments: CutPoint.all,
    Transport.allCases)
  func cut(way: (Consent, CutPoint), transport: Transport) async throws {
    let (consent, point) = way
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, consent)
      let gmail = try await phone.signUp()
      world.network.cut(point.place, point.moment)
      await gmail.connect()
      world.network.isDown = true
      await phone.root.resume()
      #expect(phone.person.consents == point.consents)
      #expect(phone.undeliveredFiles == point.consents)
      if point.consents == 0 {
        #expect(gmail.state == .failed(Message(.googleUnreachable), canRetry: true))
      } else {
        guard case .delivering(_?) = gmail.state else { throw Surprise("\(gmail.state)") }
      }
      world.network.isDown = false
      if point.consents == 0 { await gmail.retry() } else { await phone.root.resume() }
      try await expectOneConnection(
        phone, consents: phone.person.consents, uploads: point.moment == .beforeReply ? 2...2 : 1...1,
        in: world)
    }
  }

  /// A process of the app that stopped at `point`, and what it left on the device.
  private func killed(
    at point: CutPoint, _ consent: Consent, in world: World
  ) async throws -> (phone: Phone, disk: Disk, release: () async -> Void) {
    let phone = try Phone(in: world, consent)
    let gmail = try await phone.signUp()
    let gate = world.network.kill(point.place, point.moment)
    let work = await held(at: gate) { await gmail.connect() }
    let disk = try await phone.disk.snapshot()
    return (
      phone, disk,
      {
        gate.open()
        await work.value
      }
    )
  }

  @Test(
    "the app is killed and started again: one connection, one consent", arguments: CutPoint.all,
    Transport.allCases)
  func killed(way: (Consent, CutPoint), transport: Transport) async throws {
    let (consent, point) = way
    try await World.with(transport) { @MainActor world in
      let dead = try await killed(at: point, consent, in: world)
      let phone = try Phone(in: world, consent, disk: dead.disk)
      #expect(phone.undeliveredFiles == (consent == .web || point.consents > 0 ? 1 : 0))
      await phone.root.start()
      if point.consents == 0 {
        #expect(try phone.gmail.state == .notConnected)
        try await phone.gmail.connect()
      }
      try await expectOneConnection(
        phone, consents: dead.phone.person.consents + phone.person.consents,
        uploads: point.moment == .beforeReply ? 2...2 : 1...1, in: world)
      await dead.release()
    }
  }

  @Test(
    "the app is killed, and started without a network first: nothing is lost",
    arguments: CutPoint.all.filter { $0.1.consents > 0 }, Transport.allCases)
  func killedOffline(way: (Consent, CutPoint), transport: Transport) async throws {
    let (consent, point) = way
    try await World.with(transport) { @MainActor world in
      let dead = try await killed(at: point, consent, in: world)
      world.network.isDown = true
      let offline = try Phone(in: world, consent, disk: dead.disk)
      await offline.root.start()
      guard case .delivering(_?) = try offline.gmail.state else {
        throw Surprise("\(try offline.gmail.state)")
      }
      let later = try Phone(in: world, consent, disk: dead.disk)
      world.network.isDown = false
      await later.root.start()
      try await expectOneConnection(
        later, consents: dead.phone.person.consents + later.person.consents,
        uploads: point.moment == .beforeReply ? 2...2 : 1...1, in: world)
      await dead.release()
    }
  }

  @Test(
    "another user signs in meanwhile: they never get the first one's tokens, who gets them later",
    arguments: CutPoint.all.filter { $0.1.consents > 0 }, Transport.allCases)
  func anotherUser(way: (Consent, CutPoint), transport: Transport) async throws {
    let (consent, point) = way
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, consent)
      let first = try await phone.signUp()
      world.network.cut(point.place, point.moment)
      await first.connect()
      try await phone.profile.logOut()

      let second = try await phone.signUp("second@example.com")
      #expect(second.state == .notConnected)
      let stored = point.moment == .beforeReply ? ["user@example.com": ada] : [:]
      #expect(try await world.backend.mailboxes() == stored)
      try await world.signInAtGoogle(as: grace)
      await second.connect()
      #expect(second.state == .connected(address: grace))
      #expect(try await world.backend.mailboxes()["second@example.com"] == grace)
      #expect(phone.undeliveredFiles == 1)

      try await phone.profile.logOut()
      let back = try await phone.signIn()
      #expect(back.state == .connected(address: ada))
      #expect(
        try await world.backend.mailboxes() == ["user@example.com": ada, "second@example.com": grace])
      #expect(phone.person.consents == 2)
      #expect(phone.undeliveredFiles == 0)
    }
  }

  @Test(
    "another user signs in after the app was killed: the same holds",
    arguments: CutPoint.all.filter { $0.1.consents > 0 }, Transport.allCases)
  func anotherUserAfterDeath(way: (Consent, CutPoint), transport: Transport) async throws {
    let (consent, point) = way
    try await World.with(transport) { @MainActor world in
      let dead = try await killed(at: point, consent, in: world)
      // The session goes, as when it ends or the user logs out in the next process without a network.
      try await dead.disk.sessions.remove()
      let phone = try Phone(in: world, consent, disk: dead.disk)
      let second = try await phone.signUp("second@example.com")
      #expect(second.state == .notConnected)
      try await world.signInAtGoogle(as: grace)
      await second.connect()
      #expect(try await world.backend.mailboxes()["second@example.com"] == grace)
      try await phone.profile.logOut()
      #expect(try await phone.signIn().state == .connected(address: ada))
      await dead.release()
    }
  }

  @Test(
    "logging out and forgetting, or deleting the account, leaves nothing to deliver",
    arguments: [true, false], Transport.allCases)
  func forgotten(byDeletion: Bool, transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      await gmail.connect()
      #expect(phone.undeliveredFiles == 1)
      if byDeletion {
        try phone.profile.askToDeleteAccount()
        try await phone.profile.deleteAccount()
      } else {
        try await phone.profile.logOut(forgetting: true)
      }
      #expect(phone.isSignedOut)
      #expect(phone.undeliveredFiles == 0)
    }
  }

  @Test(
    "a session that ends while tokens are undelivered: they are delivered in the user's next one",
    arguments: Transport.allCases)
  func sessionEndsMeanwhile(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      await gmail.connect()
      world.clock.advance(by: .seconds(86_401))
      await phone.root.resume()
      #expect(phone.root.signIn.state == .sessionEnded(Message(.sessionExpired)))
      #expect(phone.undeliveredFiles == 1)
      #expect(try await phone.signIn().state == .connected(address: ada))
      #expect(phone.person.consents == 1)
    }
  }

  @Test("a switch whose receipt was lost is warned of after the next start", arguments: Transport.allCases)
  func switchIsNotMissed(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      try await world.signInAtGoogle(as: grace)
      world.network.cut(.upload, .beforeReply)
      await gmail.connect()
      let later = try Phone(in: world, disk: phone.disk)
      await later.root.start()
      #expect(
        try later.gmail.state == .switched(from: ada, to: grace, warning: Message(.switched, ada, grace)))
      #expect(try later.gmail.display == .connectedAddress(grace))
    }
  }
}
