import Domain
import Primitives
import TestSupport
import Testing

@Suite("SweepGrants")
struct SweepGrantsTests {
  let world = World()

  @Test("3.4: each user's grant is used again within a day, at a time of its own")
  func spread() {
    let now = Timestamp(seconds: 1_700_000_000)
    let times = (0..<500).map { SweepGrants.nextUse(of: UserID("user_\($0)"), after: now) - now }
    #expect(times.allSatisfy { $0 >= .seconds(20 * 3600) && $0 < .seconds(24 * 3600) })
    #expect(Set(times).count > 300)
    let buckets = Dictionary(grouping: times) { Int($0.components.seconds - 72_000) / 1260 }
    #expect(buckets.count == 10 && buckets.values.allSatisfy { $0.count > 20 }, "they are spread evenly")
    #expect(SweepGrants.nextUse(of: UserID("user_1"), after: now) - now == times[1], "in every process alike")
  }

  @Test("3.4: the sweep uses every grant at least once a day, and not more often")
  func daily() async throws {
    let users = try await [world.connected("ann"), world.connected("bob"), world.connected("cid")]
    let calls = world.google.calls(.token)
    for _ in 0..<(24 * 4) {
      await world.home.sweep.once()
      world.clock.advance(by: .seconds(900))
    }
    #expect(world.google.calls(.token) == calls + 3)
    for user in users {
      let at = try #require(try await world.record(user)?.lastRefreshedAt)
      #expect(world.clock.now - at < .seconds(24 * 3600))
    }
  }

  @Test("3.4: a grant that died unnoticed is known within a day")
  func noticesDeath() async throws {
    let user = try await world.connected()
    world.google.killGrants(of: World.account("kim"))
    world.clock.advance(by: .seconds(24 * 3600))
    await world.home.sweep.once()
    #expect(try await world.status(user) == .needsReconnect)
    let calls = world.google.calls(.token)
    world.clock.advance(by: .seconds(24 * 3600))
    await world.home.sweep.once()
    #expect(world.google.calls(.token) == calls, "and is not asked about again")
  }

  @Test("3.3: a blocked grant is tried again by the sweep the next day")
  func blocked() async throws {
    let user = try await world.connected()
    world.google.fail(.token, .refused(.adminPolicyEnforced))
    world.clock.advance(by: .seconds(24 * 3600))
    await world.home.sweep.once()
    #expect(try await world.status(user) == .blocked)
    let calls = world.google.calls(.token)
    await world.home.sweep.once()
    #expect(world.google.calls(.token) == calls)
    world.google.heal(.token)
    world.clock.advance(by: .seconds(24 * 3600))
    await world.home.sweep.once()
    #expect(try await world.status(user) == .connected)
  }

  @Test("3.4: an operator's fault puts a grant off a quarter of an hour, and costs nothing")
  func operatorFault() async throws {
    let user = try await world.connected()
    world.google.fail(.token, .refused(.clientMisconfigured), times: 1)
    world.clock.advance(by: .seconds(24 * 3600))
    let calls = world.google.calls(.token)
    await world.home.sweep.once()
    await world.home.sweep.once()
    #expect(world.google.calls(.token) == calls + 1)
    world.clock.advance(by: .seconds(15 * 60))
    await world.home.sweep.once()
    #expect(world.google.calls(.token) == calls + 2)
    #expect(try await world.status(user) == .connected)
  }

  @Test("3.3: a limited connection ends at the very moment its token does; the sweep then deletes the secret")
  func limited() async throws {
    let user = try await world.connected(withRefreshToken: false)
    let record = try #require(try await world.record(user))
    let end = record.accessExpiresAt
    #expect(record.status(at: end + .microseconds(-1)) == .limited)
    #expect(record.worksUntil(at: end + .microseconds(-1)) == end)
    #expect(record.status(at: end) == .needsReconnect)
    #expect(record.reason(at: end) == .accessExpired)
    #expect(!record.isConnected(at: end))
    world.clock.now = end + .microseconds(-1)
    _ = try await world.token(user)
    await world.home.sweep.once()
    #expect(try await world.stored(user) != nil)
    world.clock.now = end
    await #expect(throws: TokenRefusal.needsReconnect(.accessExpired)) { try await world.token(user) }
    await world.home.sweep.once()
    #expect(try await world.stored(user) == nil)
    #expect(try await world.record(user)?.reason == .accessExpired)
    #expect(try await world.record(user)?.account == World.account("kim"))
    await #expect(throws: TokenRefusal.needsReconnect(.accessExpired)) { try await world.token(user) }
    let reply = try await world.home.connect(user, world.upload(World.account("lee")))
    #expect(reply.previousGoogleEmail == "kim@gmail.test")
  }

  @Test("A store that is away stops a round, and not the sweep")
  func storeDown() async throws {
    let user = try await world.connected()
    world.clock.advance(by: .seconds(24 * 3600))
    world.store.isAvailable = false
    await world.home.sweep.once()
    #expect(world.log.count(of: "sweep_failed") > 0)
    world.store.isAvailable = true
    await world.home.sweep.once()
    #expect(try await world.record(user)?.lastRefreshedAt == world.clock.now)
  }

  @Test("It sweeps until it is cancelled, a round every half minute")
  func runs() async throws {
    let user = try await world.connected()
    world.clock.advance(by: .seconds(24 * 3600))
    let sweeping = Task { await world.home.sweep.run() }
    await world.clock.waitForSleepers(1)
    #expect(try await world.record(user)?.lastRefreshedAt == world.clock.now)
    sweeping.cancel()
    await sweeping.value
  }
}
