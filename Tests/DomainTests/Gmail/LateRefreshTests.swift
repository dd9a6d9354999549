import Domain
import Primitives
import TestSupport
import Testing

@Suite("SettleRefresh: answers that come late")
struct LateRefreshTests {
  let world = World()

  @Test("3.4: a late success with a lower fencing number is dropped after a normal takeover")
  func lateAfterTakeover() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let (gate, late) = try await world.refreshInTheAir(user)
    // Its process slept through its lease.
    world.clock.advance(by: .seconds(61))
    _ = try await world.process().tokens.accessToken(for: user)
    let newer = try await world.stored(user)
    gate.open()
    _ = try? await late.value
    await world.home.tokens.drain()
    #expect(try await world.stored(user) == newer)
  }

  @Test(
    "3.4: a late success is written, and revives the connection, when the newer flight ended in invalid_grant"
  )
  func lateRevivesTheDead() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let (gate, late) = try await world.refreshInTheAir(user)
    world.clock.advance(by: .seconds(61))
    await #expect(throws: TokenRefusal.needsReconnect(.invalidGrant)) {
      try await world.process().tokens.accessToken(for: user)
    }
    #expect(try await world.status(user) == .needsReconnect)
    gate.open()
    _ = try? await late.value
    await world.home.tokens.drain()
    #expect(try await world.status(user) == .connected)
    #expect(try await world.record(user)?.reason == nil)
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
    #expect(try await world.vault.setAside(since: Timestamp(microseconds: 0)).isEmpty)
  }

  @Test("3.4: a late success is written too when the newer flight's death was doubted")
  func lateAfterDoubtedDeath() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let (gate, late) = try await world.refreshInTheAir(user)
    world.clock.advance(by: .seconds(61))
    _ = try await world.ledger.engageBrake(at: world.clock.now)
    await #expect(throws: TokenRefusal.temporarilyUnavailable(retryAfter: .seconds(60))) {
      try await world.process().tokens.accessToken(for: user)
    }
    #expect(try await world.status(user) == .connected)
    // A still newer flight has taken off already.
    let now = world.clock.now
    _ = try await world.vault.acquireLease(on: user, owner: "newer", now: now, until: now + .seconds(60))
    gate.open()
    _ = try? await late.value
    await world.home.tokens.drain()
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("3.4: a reconnect without a refresh token does not make a late success after a doubted death lost")
  func lateAfterDoubtAndReconnect() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let (gate, late) = try await world.refreshInTheAir(user)
    world.clock.advance(by: .seconds(61))
    _ = try await world.ledger.engageBrake(at: world.clock.now)
    _ = try? await world.process().tokens.accessToken(for: user)
    _ = try await world.home.connect(user, world.upload(World.account("kim"), withRefreshToken: false))
    gate.open()
    _ = try? await late.value
    await world.home.tokens.drain()
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("3.4: a late success that brings a rotated token is written while a newer flight is still in the air")
  func lateRotationBeforeVerdict() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let (gate, late) = try await world.refreshInTheAir(user)
    world.clock.advance(by: .seconds(61))
    // The newer flight has asked with the token that is dead by now; its invalid_grant is on the way.
    let (verdict, newer) = try await world.refreshInTheAir(user, by: world.process())
    gate.open()
    _ = try? await late.value
    await world.home.tokens.drain()
    verdict.open()
    #expect(world.google.honours(try await newer.value, at: world.clock.now))
    #expect(try await world.status(user) == .connected)
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("E2: invalid_grant while another process stored a new token is a lost race, not a death")
  func lostRace() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    // The first flight's answer is invalid_grant, and slow; the second, after the lease ran out, rotates.
    world.google.fail(.token, .refused(.invalidGrant(rapt: false)), times: 1)
    let (gate, loser) = try await world.refreshInTheAir(user)
    world.clock.advance(by: .seconds(61))
    let token = try await world.process().tokens.accessToken(for: user)
    gate.open()
    _ = try? await loser.value
    await world.home.tokens.drain()
    #expect(try await world.status(user) == .connected)
    #expect(try await world.token(user) == token)
  }

  @Test("E2: invalid_grant is no death when a late success stored another token meanwhile")
  func lateSuccessBeatsDeath() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let (slow, late) = try await world.refreshInTheAir(user)
    world.clock.advance(by: .seconds(61))
    _ = try await world.ledger.engageBrake(at: world.clock.now)
    _ = try? await world.process().tokens.accessToken(for: user)
    // The brake is off, so that the next death is believed; its answer is on the way when the late one lands.
    _ = try await world.ledger.releaseBrake()
    let (gate, loser) = try await world.refreshInTheAir(user, by: world.process())
    slow.open()
    _ = try? await late.value
    await world.home.tokens.drain()
    gate.open()
    #expect(world.google.honours(try await loser.value, at: world.clock.now))
    #expect(try await world.status(user) == .connected)
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }
}
