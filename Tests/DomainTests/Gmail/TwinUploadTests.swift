import Domain
import Primitives
import TestSupport
import Testing

/// One upload that reaches two processes, at a Google that replaces refresh tokens.
@Suite("An upload and its twin in another process")
struct TwinUploadTests {
  let world = World()

  @Test(
    "3.1 rule 7: the twin of an upload whose token Google has replaced waits for the reply that is repeated")
  func twin() async throws {
    world.google.configure { $0.rotates = true }
    let user = try await world.user()
    let upload = world.upload(World.account("kim"))
    let gate = world.google.hold(.token, .onReturn)
    let first = Task { try await world.home.connect(user, upload) }
    await gate.arrival()
    let patient = connect(waitForTwin: .seconds(2))
    let second = Task { try await patient(user, upload) }
    await world.clock.waitForSleepers(1)
    gate.open()
    let reply = try await first.value
    world.clock.advance(by: .seconds(1))
    #expect(try await second.value == reply)
    #expect(try await world.status(user) == .connected)
  }

  @Test("A refresh token that is simply dead is refused when the wait is over")
  func noTwin() async throws {
    let user = try await world.user()
    let upload = world.upload(World.account("kim"))
    world.google.fail(.token, .refused(.invalidGrant(rapt: false)))
    let patient = connect(waitForTwin: .seconds(1))
    let connecting = Task { try await patient(user, upload) }
    await world.clock.waitForSleepers(1)
    world.clock.advance(by: .seconds(1))
    await #expect(throws: ConnectRefusal.refreshTokenInvalid) { try await connecting.value }
  }

  @Test("A store that is away when Google replaced an uploaded token is written to once it is back")
  func storeAway() async throws {
    world.google.configure { $0.rotates = true }
    let user = try await world.user()
    let upload = world.upload(World.account("kim"))
    let gate = world.google.hold(.token, .onReturn)
    let connecting = Task { try await world.home.connect(user, upload) }
    await gate.arrival()
    world.store.isAvailable = false
    gate.open()
    await world.clock.waitForSleepers(1)
    world.store.isAvailable = true
    world.clock.advance(by: .seconds(1))
    _ = try await connecting.value
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  private func connect(waitForTwin: Duration) -> ConnectGmail {
    ConnectGmail(
      vault: world.vault,
      prove: ProveTokens(google: world.google, mailbox: world.google, configuration: World.configuration),
      configuration: World.configuration, revoker: world.home.revoker,
      fingerprint: { $0.flatMap { Array("\($0.expose().utf8.count):\($0.expose())".utf8) } },
      time: world.clock.source, random: world.random.source, waitForTwin: waitForTwin)
  }
}

extension TwinUploadTests {
  @Test("E7: a 403 of tokeninfo is Google's brake on us, never a wrong token")
  func brakeOfTokenInfo() async throws {
    let user = try await world.user()
    world.google.fail(.tokenInfo, .insufficientScope)
    await #expect(throws: ConnectRefusal.googleUnavailable(retryAfter: .seconds(5))) {
      try await world.home.connect(user, world.upload(World.account("kim")))
    }
  }
}
