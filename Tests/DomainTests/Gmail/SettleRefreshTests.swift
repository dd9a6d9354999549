import Domain
import Primitives
import TestSupport
import Testing

@Suite("SettleRefresh: what a refresh may write")
struct SettleRefreshTests {
  let world = World()

  /// A refresh of `user` that Google has answered, and whose answer is held back.
  private func refreshInTheAir(_ user: UserID, by process: Process? = nil) async throws -> (
    Gate, Task<GoogleAccessToken, any Error>
  ) {
    let tokens = (process ?? world.home).tokens
    let gate = world.google.hold(.token, .onReturn)
    let flight = Task { try await tokens.accessToken(for: user) }
    await gate.arrival()
    return (gate, flight)
  }

  @Test("A7, A8: a reply without a refresh token keeps ours")
  func keepsRefreshToken() async throws {
    let user = try await world.connected()
    let before = try #require(try await world.stored(user))
    world.passAnHour()
    _ = try await world.token(user)
    let after = try #require(try await world.stored(user))
    #expect(after.refreshToken == before.refreshToken)
    #expect(after.accessToken != before.accessToken)
    #expect(after.grantID == before.grantID, "a refresh does not change the grant")
    #expect(after.fence == 1)
  }

  @Test("E5: a reply's refresh token replaces ours, together with the access token")
  func replacesRefreshToken() async throws {
    let user = try await world.connected()
    let before = try #require(try await world.stored(user))
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    _ = try await world.token(user)
    let after = try #require(try await world.stored(user))
    #expect(after.refreshToken != before.refreshToken)
    #expect(world.google.honours(after.refreshToken))
    #expect(after.grantID == before.grantID)
  }

  @Test("3.4: a refresh that ends after a disconnect is dropped")
  func afterDisconnect() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let (gate, flight) = try await refreshInTheAir(user)
    _ = try await world.home.disconnect(user)
    gate.open()
    await #expect(throws: TokenRefusal.notConnected) { try await flight.value }
    #expect(try await world.stored(user) == nil)
    #expect(try await world.record(user) == nil)
  }

  @Test("3.4: a refresh that ends after a switch is dropped, and its caller gets the new account's token")
  func afterSwitch() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let (gate, flight) = try await refreshInTheAir(user)
    _ = try await world.home.connect(user, world.upload(World.account("lee")))
    let switched = try await world.stored(user)
    gate.open()
    #expect(try await flight.value == switched?.accessToken)
    #expect(try await world.stored(user) == switched)
  }

  @Test("3.4: a refresh that ends after a new grant of the same account is dropped")
  func afterNewGrant() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let (gate, flight) = try await refreshInTheAir(user)
    _ = try await world.home.connect(user, world.upload(World.account("kim")))
    let renewed = try await world.stored(user)
    gate.open()
    _ = try await flight.value
    #expect(try await world.stored(user) == renewed)
  }

  @Test("3.4: a refresh that ends after the user was deleted writes nothing and says notConnected")
  func afterDeletion() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let (gate, flight) = try await refreshInTheAir(user)
    try await world.home.deleteAccount(user)
    gate.open()
    await #expect(throws: TokenRefusal.notConnected) { try await flight.value }
    #expect(try await world.stored(user) == nil)
  }

  @Test("A reconnect without a refresh token while a rotating refresh is in the air keeps the new token")
  func reconnectDuringRotation() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let (gate, flight) = try await refreshInTheAir(user)
    _ = try await world.home.connect(user, world.upload(World.account("kim"), withRefreshToken: false))
    gate.open()
    _ = try await flight.value
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
    #expect(try await world.status(user) == .connected)
  }

  @Test(
    "A rotating refresh that lands while a reconnect without a refresh token is proven keeps the new token")
  func rotationDuringReconnect() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let gate = world.google.hold(.tokenInfo, .onReturn)
    let upload = world.upload(World.account("kim"), withRefreshToken: false)
    let connecting = Task { try await world.home.connect(user, upload) }
    await gate.arrival()
    _ = try await world.token(user)
    gate.open()
    #expect(try await connecting.value.kind == .same)
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("A refresh keeps what a reconnect without a refresh token wrote meanwhile")
  func keepsReconnectsScopes() async throws {
    let user = try await world.connected()
    world.google.configure { $0.namesScopes = false }
    world.passAnHour()
    let (gate, flight) = try await refreshInTheAir(user)
    let wider = GrantedScopes(FakeGoogle.fullScopes.joined + " https://www.googleapis.com/auth/gmail.labels")
    _ = try await world.home.connect(
      user, world.upload(World.account("kim"), scopes: wider, withRefreshToken: false))
    gate.open()
    _ = try await flight.value
    #expect(try await world.stored(user)?.scopes == wider)
  }

  @Test("3.4: a late success with a lower fencing number is dropped after a normal takeover")
  func lateAfterTakeover() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let (gate, late) = try await refreshInTheAir(user)
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
    let (gate, late) = try await refreshInTheAir(user)
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
    let (gate, late) = try await refreshInTheAir(user)
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
    let (gate, late) = try await refreshInTheAir(user)
    world.clock.advance(by: .seconds(61))
    _ = try await world.ledger.engageBrake(at: world.clock.now)
    _ = try? await world.process().tokens.accessToken(for: user)
    _ = try await world.home.connect(user, world.upload(World.account("kim"), withRefreshToken: false))
    gate.open()
    _ = try? await late.value
    await world.home.tokens.drain()
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("E2: invalid_grant while another process stored a new token is a lost race, not a death")
  func lostRace() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    // The first flight's answer is invalid_grant, and slow; the second, after the lease ran out, rotates.
    world.google.fail(.token, .refused(.invalidGrant(rapt: false)), times: 1)
    let (gate, loser) = try await refreshInTheAir(user)
    world.clock.advance(by: .seconds(61))
    let token = try await world.process().tokens.accessToken(for: user)
    gate.open()
    _ = try? await loser.value
    await world.home.tokens.drain()
    #expect(try await world.status(user) == .connected)
    #expect(try await world.token(user) == token)
  }

  @Test("A store that is away when Google rotated the token is written to once it is back")
  func storeAwayDuringRotation() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let (gate, flight) = try await refreshInTheAir(user)
    await world.clock.waitForSleepers(1)
    world.store.isAvailable = false
    gate.open()
    await world.clock.waitForSleepers(2)
    world.store.isAvailable = true
    world.clock.advance(by: .seconds(1))
    #expect(world.google.honours(try await flight.value, at: world.clock.now))
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }
}
