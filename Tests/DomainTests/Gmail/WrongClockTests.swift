import Domain
import Primitives
import TestSupport
import Testing

@Suite("A clock that was wrong")
struct WrongClockTests {
  static let year: Duration = .seconds(365 * 24 * 3600)
  let world = World()

  @Test("What a clock that was a year ahead wrote is refreshed all the same, by a caller and by the sweep")
  func ahead() async throws {
    let (ann, bob) = try await (world.connected("ann"), world.connected("bob"))
    let today = world.clock.now
    world.clock.advance(by: Self.year)
    for user in [ann, bob] { _ = try await world.token(user) }
    world.clock.now = today
    let token = try await world.token(ann)
    #expect(world.google.honours(token, at: today + .seconds(3000)))
    #expect(try await world.record(ann)?.lastRefreshedAt == today)
    await world.home.sweep.once()
    let record = try #require(try await world.record(bob))
    #expect(record.lastRefreshedAt == today)
    #expect(try #require(record.nextUseAt) < today + .seconds(24 * 3600))
  }

  @Test("A flight whose clock is set back by hours asks Google with no longer a timeout")
  func timeout() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.fail(.token, .unavailable(retryAfter: nil), times: 1)
    let flight = Task { try await world.token(user) }
    await world.clock.waitForSleepers(2)
    world.clock.now = world.clock.now - .seconds(5 * 3600)
    world.clock.advance(by: .seconds(5 * 3600 + 2))
    world.clock.now = world.clock.now - .seconds(5 * 3600)
    _ = try? await flight.value
    #expect(world.google.tokenTimeouts.allSatisfy { $0 <= RefreshGrant.longestFlight })
  }

  @Test("A revocation that a clock ahead of time ended turns no upload away once the clock is right")
  func mark() async throws {
    let user = try await world.connected()
    let today = world.clock.now
    world.clock.advance(by: Self.year)
    #expect(try await world.home.disconnect(user) == .revoked)
    world.clock.now = today
    _ = try await world.home.connect(user, world.upload(World.account("kim")))
    #expect(try await world.status(user) == .connected)
  }

  @Test("Events that a clock ahead of time counted keep nobody out once it is right")
  func limits() {
    let limit = AttemptLimit(1, per: .seconds(60))
    limit.note("u", at: world.clock.now + Self.year)
    #expect(limit.admit("u", at: world.clock.now) == nil)
    #expect(limit.admit("u", at: world.clock.now) == .seconds(60))
  }
}
