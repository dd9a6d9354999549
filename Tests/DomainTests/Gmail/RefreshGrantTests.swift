import Domain
import Primitives
import TestSupport
import Testing

@Suite("RefreshGrant: retries, failures, configuration")
struct RefreshGrantTests {
  let world = World()

  private func passRetries(_ count: Int) async {
    for _ in 0..<count {
      await world.clock.waitForSleepers(2)
      world.clock.advance(by: .seconds(3))
    }
  }

  @Test("3.4: an outage is retried, at most three times, and the connection stays")
  func boundedRetries() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let calls = world.google.calls(.token)
    world.google.fail(.token, .unavailable(retryAfter: nil))
    let token = Task { try await world.token(user) }
    await passRetries(3)
    await #expect(throws: TokenRefusal.temporarilyUnavailable(retryAfter: TokenSource.retryAfter)) {
      try await token.value
    }
    #expect(world.google.calls(.token) == calls + 4)
    #expect(try await world.status(user) == .connected)
    #expect(try await world.stored(user) != nil)
  }

  @Test("E7: a passing refusal (HTML 403, 429, 5xx) is transient: the retry brings the token")
  func retrySucceeds() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.fail(.token, .unavailable(retryAfter: nil), times: 1)
    let token = Task { try await world.token(user) }
    await passRetries(1)
    #expect(world.google.honours(try await token.value, at: world.clock.now))
  }

  @Test("3.4: Retry-After is honoured: no call before it, and none at all when it reaches past the 40 s")
  func retryAfter() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let calls = world.google.calls(.token)
    world.google.fail(.token, .unavailable(retryAfter: .seconds(10)), times: 1)
    let token = Task { try await world.token(user) }
    await world.clock.waitForSleepers(2)
    world.clock.advance(by: .milliseconds(9_999))
    #expect(world.google.calls(.token) == calls + 1)
    world.clock.advance(by: .milliseconds(1))
    _ = try await token.value
    #expect(world.google.calls(.token) == calls + 2)

    world.passAnHour()
    world.google.fail(.token, .unavailable(retryAfter: .seconds(300)), times: 1)
    await #expect(throws: TokenRefusal.temporarilyUnavailable(retryAfter: .seconds(300))) {
      try await world.token(user)
    }
    #expect(world.google.calls(.token) == calls + 3)
  }

  @Test("3.4: every call's timeout ends within the flight's 40 s")
  func callsEndWithTheFlight() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let seen = world.google.tokenTimeouts.count
    world.google.fail(.token, .unavailable(retryAfter: .seconds(12)))
    let token = Task { try await world.token(user) }
    for _ in 0..<3 {
      await world.clock.waitForSleepers(1)
      await Task.yield()
      if world.google.tokenTimeouts.count > seen + 3 { break }
      world.clock.advance(by: .seconds(12))
    }
    await #expect(throws: TokenRefusal.self) { try await token.value }
    await world.home.tokens.drain()
    var left = Duration.seconds(40)
    for timeout in world.google.tokenTimeouts.dropFirst(seen) {
      #expect(timeout <= left && timeout > .zero)
      left -= .seconds(12)
    }
  }

  @Test("E3: a failed flight is not cached: the next call flies again")
  func failureIsNotCached() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.fail(.token, .refused(.clientMisconfigured), times: 1)
    await #expect(throws: TokenRefusal.operatorFault) { try await world.token(user) }
    #expect(world.google.honours(try await world.token(user), at: world.clock.now))
  }

  @Test("H2: after invalid_grant ten reads cost exactly one call; the status says needs_reconnect")
  func deadGrant() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.killGrants(of: World.account("kim"))
    let calls = world.google.calls(.token)
    for _ in 0..<10 {
      await #expect(throws: TokenRefusal.needsReconnect(.invalidGrant)) { try await world.token(user) }
    }
    #expect(world.google.calls(.token) == calls + 1)
    let record = try #require(try await world.record(user))
    #expect(record.status(at: world.clock.now) == .needsReconnect)
    #expect(record.reason == .invalidGrant)
    #expect(!record.isConnected(at: world.clock.now))
    #expect(record.account == World.account("kim"), "identity stays, so that a switch is noticed later")
  }

  @Test("3.3: invalid_rapt is a dead grant too, with its own reason")
  func rapt() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.fail(.token, .refused(.invalidGrant(rapt: true)))
    await #expect(throws: TokenRefusal.needsReconnect(.invalidRAPT)) { try await world.token(user) }
    let calls = world.google.calls(.token)
    await #expect(throws: TokenRefusal.needsReconnect(.invalidRAPT)) { try await world.token(user) }
    #expect(world.google.calls(.token) == calls)
  }

  @Test(
    "3.3: a policy blocks: the secret stays, the next use tries again, and heals when the policy is lifted",
    arguments: [
      (OAuthErrorCode.adminPolicyEnforced, ConnectionReason.adminPolicyEnforced),
      (OAuthErrorCode.accessDenied, ConnectionReason.accessDenied),
    ])
  func blocked(code: OAuthErrorCode, reason: ConnectionReason) async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.fail(.token, .refused(code))
    for _ in 0..<2 {
      await #expect(throws: TokenRefusal.blocked(reason)) { try await world.token(user) }
      #expect(try await world.status(user) == .blocked)
      #expect(try await world.record(user)?.isConnected(at: world.clock.now) == true)
    }
    world.clock.advance(by: .seconds(24 * 3600))
    world.google.heal(.token)
    _ = try await world.token(user)
    #expect(try await world.status(user) == .connected)
    #expect(try await world.record(user)?.reason == nil)
  }

  @Test("H6: after six idle months invalid_grant means reconnect, like any other")
  func sixMonths() async throws {
    let user = try await world.connected()
    world.clock.advance(by: .seconds(183 * 24 * 3600))
    world.google.killGrants(of: World.account("kim"))
    await #expect(throws: TokenRefusal.needsReconnect(.invalidGrant)) { try await world.token(user) }
  }

  @Test("A time-limited grant says until when it works")
  func limitedInTime() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.configure { $0.grantLifetime = 604_799 }
    _ = try await world.token(user)
    let record = try #require(try await world.record(user))
    #expect(record.worksUntil(at: world.clock.now) == world.clock.now + .seconds(604_799))
  }
}
