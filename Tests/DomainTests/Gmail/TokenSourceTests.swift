import Domain
import Primitives
import TestSupport
import Testing

@Suite("TokenSource")
struct TokenSourceTests {
  let world = World()

  @Test("3.4: with validFor + 5 min left the stored token is returned and Google is not called")
  func longLife() async throws {
    let user = try await world.connected()
    let calls = world.google.calls
    world.clock.advance(by: .seconds(3600 - 360))
    #expect(try await world.token(user) == world.stored(user)?.accessToken)
    #expect(world.google.calls == calls)
  }

  @Test("3.4: with at least validFor left the token is returned at once and refreshed behind the caller")
  func refreshesBehind() async throws {
    let user = try await world.connected()
    let behind = world.process(policy: .refreshesBehind)
    let before = try #require(try await world.stored(user)?.accessToken)
    world.clock.advance(by: .seconds(3600 - 359))
    let gate = world.google.hold(.token)
    #expect(try await behind.tokens.accessToken(for: user) == before)
    await gate.arrival()
    gate.open()
    await behind.tokens.drain()
    #expect(try await world.stored(user)?.accessToken != before)
  }

  @Test("3.4: without the policy nothing is refreshed behind the caller")
  func refreshesOnDemand() async throws {
    let user = try await world.connected()
    let calls = world.google.calls(.token)
    world.clock.advance(by: .seconds(3600 - 60))
    _ = try await world.token(user)
    await world.home.tokens.drain()
    #expect(world.google.calls(.token) == calls)
  }

  @Test("3.4: with less than validFor left the caller waits for the refresh")
  func waits() async throws {
    let user = try await world.connected()
    let before = try await world.stored(user)?.accessToken
    world.clock.advance(by: .seconds(3600 - 59))
    let token = try await world.token(user)
    #expect(token != before)
    #expect(token == (try await world.stored(user)?.accessToken))
  }

  @Test("3.4: a caller waits at most 25 s, then gets temporarilyUnavailable while the flight goes on")
  func patience() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let gate = world.google.hold(.token, .onReturn)
    let first = Task { try await world.token(user) }
    await gate.arrival()
    await world.clock.waitForSleepers(1)
    let joiner = Task { try await world.token(user) }
    await world.clock.waitForSleepers(2)
    world.clock.advance(by: .seconds(25))
    let refusal = TokenRefusal.temporarilyUnavailable(retryAfter: TokenSource.retryAfter)
    await #expect(throws: refusal) { try await first.value }
    await #expect(throws: refusal) { try await joiner.value }
    gate.open()
    await world.home.tokens.drain()
    #expect(world.google.honours(try await world.stored(user)?.accessToken, at: world.clock.now))
  }

  @Test("3.4: the 25 s span all the flights that a caller waits for")
  func patienceSpansFlights() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let slow = world.google.hold(.token, .onReturn)
    let next = world.google.hold(.token)
    let first = Task { try await world.token(user) }
    await slow.arrival()
    await world.clock.waitForSleepers(1)
    world.clock.advance(by: .seconds(1))
    // It came while the first flight was in the air, and wants more life than that flight will bring.
    let joiner = Task { try await world.home.tokens.accessToken(for: user, validFor: .seconds(4000)) }
    await world.clock.waitForSleepers(2)
    world.clock.advance(by: .seconds(20))
    slow.open()
    _ = try await first.value
    await next.arrival()
    await world.clock.waitForSleepers(1)
    world.clock.advance(by: .seconds(5))
    await #expect(throws: TokenRefusal.temporarilyUnavailable(retryAfter: TokenSource.retryAfter)) {
      try await joiner.value
    }
    next.open()
    await world.home.tokens.drain()
  }

  @Test("3.4: rejecting names a token: it is refreshed past, once, and never given out again")
  func rejecting() async throws {
    let user = try await world.connected()
    let rejected = try #require(try await world.stored(user)?.accessToken)
    let calls = world.google.calls(.token)
    let token = try await world.home.tokens.accessToken(for: user, rejecting: rejected)
    #expect(token != rejected)
    #expect(world.google.calls(.token) == calls + 1)
    #expect(try await world.home.tokens.accessToken(for: user, rejecting: rejected) == token)
    #expect(world.google.calls(.token) == calls + 1, "it was refreshed past that token already")
  }

  @Test("3.4: a cancelled waiter leaves, and does not cancel the flight")
  func cancelledWaiter() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let gate = world.google.hold(.token, .onReturn)
    let waiter = Task { try await world.token(user) }
    await gate.arrival()
    waiter.cancel()
    await #expect(throws: TokenRefusal.self) { try await waiter.value }
    gate.open()
    await world.home.tokens.drain()
    #expect(world.google.honours(try await world.stored(user)?.accessToken, at: world.clock.now))
  }

  @Test("3.4: a process ends only after its flights have: drain waits for them")
  func drains() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let gate = world.google.hold(.token, .onReturn)
    let waiter = Task { try await world.token(user) }
    await gate.arrival()
    let drained = Task {
      await world.home.tokens.drain()
      return try await world.stored(user)?.accessToken
    }
    gate.open()
    #expect(world.google.honours(try await drained.value, at: world.clock.now))
    _ = try await waiter.value
  }

  @Test("F3: a lifetime of 0 in Google's reply costs at most one refresh a request")
  func zeroLifetime() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.configure { $0.lifetime = 0 }
    let calls = world.google.calls(.token)
    for request in 1...3 {
      _ = try await world.token(user)
      #expect(world.google.calls(.token) == calls + request)
    }
  }

  @Test("A user who never connected, or does not exist, has no token; Google is not asked")
  func notConnected() async throws {
    let user = try await world.user()
    await #expect(throws: TokenRefusal.notConnected) { try await world.token(user) }
    await #expect(throws: TokenRefusal.notConnected) { try await world.token(UserID("user_nobody")) }
    #expect(world.google.calls == 0)
  }

  @Test("A store that gives no answer is .store(.unavailable), and Google is not asked")
  func storeDown() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let calls = world.google.calls
    world.store.isAvailable = false
    await #expect(throws: TokenRefusal.store(.unavailable)) { try await world.token(user) }
    #expect(world.google.calls == calls)
  }
}
