import Domain
import Primitives
import TestSupport
import Testing

@Suite("RefreshFlights and leases: one refresh, whoever asks")
struct RefreshFlightsTests {
  let world = World()

  @Test("E1: 200 racing callers cost one call and get one token", arguments: [false, true])
  func racing(rotates: Bool) async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = rotates }
    world.passAnHour()
    let calls = world.google.calls(.token)
    let world = world
    let tokens = try await withThrowingTaskGroup(of: GoogleAccessToken.self) { group in
      for _ in 0..<200 { group.addTask { try await world.token(user) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(world.google.calls(.token) == calls + 1)
    #expect(tokens.count == 1)
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("E5: a hundred rounds of refreshes with rotation lose no token")
  func rotation() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    for _ in 0..<100 {
      world.passAnHour()
      let one = Task { try await world.token(user) }
      let two = Task { try await world.token(user) }
      #expect(try await one.value == two.value)
      #expect(world.google.honours(try await world.stored(user)?.refreshToken))
    }
  }

  @Test("E6: two processes over one store refresh once", arguments: [false, true])
  func twoProcesses(rotates: Bool) async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = rotates }
    world.passAnHour()
    let other = world.process()
    let calls = world.google.calls(.token)
    let gate = world.google.hold(.token, .onReturn)
    let first = Task { try await world.token(user) }
    await gate.arrival()
    let second = Task { try await other.tokens.accessToken(for: user) }
    // Two who wait, and the other process between two looks at the lease.
    await world.clock.waitForSleepers(3)
    gate.open()
    let token = try await first.value
    world.clock.advance(by: .seconds(1))
    #expect(try await second.value == token)
    #expect(world.google.calls(.token) == calls + 1)
  }

  @Test("3.4: a lease of a process that died is waited out, then taken over")
  func deadProcess() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let now = world.clock.now
    _ = try await world.vault.acquireLease(on: user, owner: "dead", now: now, until: now + .seconds(10))
    let token = Task { try await world.token(user) }
    await world.clock.waitForSleepers(2)
    world.clock.advance(by: .seconds(10))
    #expect(world.google.honours(try await token.value, at: world.clock.now))
  }

  @Test("3.4: a lease that ends more than 120 s ahead counts as past (a wrong clock)")
  func wrongClock() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let ahead = world.clock.now + .seconds(121)
    _ = try await world.vault.acquireLease(on: user, owner: "lost", now: world.clock.now, until: ahead)
    #expect(world.google.honours(try await world.token(user), at: world.clock.now))
  }

  @Test("3.4: a flight that finds the lease taken all the time ends within 40 s")
  func leaseAlwaysHeld() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let start = world.clock.now
    _ = try await world.vault.acquireLease(
      on: user, owner: "busy", now: start, until: start + .seconds(110))
    let calls = world.google.calls(.token)
    let token = Task { try await world.token(user) }
    await world.clock.waitForSleepers(2)
    world.clock.advance(by: .seconds(40))
    await #expect(throws: TokenRefusal.temporarilyUnavailable(retryAfter: TokenSource.retryAfter)) {
      try await token.value
    }
    await world.home.tokens.drain()
    #expect(world.google.calls(.token) == calls)
  }

  @Test(
    "3.4: the lease is given up however the flight ended",
    arguments: [
      nil, GoogleError.refused(.invalidGrant(rapt: false)), .refused(.accessDenied),
      .refused(.clientMisconfigured), .unavailable(retryAfter: .seconds(3600)),
    ])
  func leaseIsGivenUp(error: GoogleError?) async throws {
    let user = try await world.connected()
    world.passAnHour()
    if let error { world.google.fail(.token, error) }
    _ = try? await world.token(user)
    await world.home.tokens.drain()
    let lease = try #require(try await world.vault.read(user).lease)
    #expect(!lease.isLive(at: world.clock.now))
  }

  @Test("3.4: the winner of the lease re-reads: a token that another process stored meanwhile is used")
  func rereads() async throws {
    let user = try await world.connected()
    let world = world
    let rejected = try #require(try await world.stored(user)?.accessToken)
    let now = world.clock.now
    let attempt = try await world.vault.acquireLease(
      on: user, owner: "other", now: now, until: now + .seconds(60))
    guard case .acquired(let lease) = attempt else { return #expect(Bool(false), "the lease was free") }
    let calls = world.google.calls(.token)
    let token = Task { try await world.home.tokens.accessToken(for: user, rejecting: rejected) }
    await world.clock.waitForSleepers(2)
    let fresh = GoogleAccessToken(Secret("ya29.of-another-process"))
    try await world.vault.update(user) { stored in
      var tokens = stored.secret.tokens
      tokens?.accessToken = fresh
      return (VaultChange(secret: tokens.map { .put($0) } ?? .keep), ())
    }
    try await world.vault.release(lease, on: user)
    world.clock.advance(by: .seconds(1))
    #expect(try await token.value == fresh)
    #expect(world.google.calls(.token) == calls)
  }
}
