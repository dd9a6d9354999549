import Domain
import Primitives
import TestSupport
import Testing

/// One that fails must not keep the others waiting, whatever is done for many.
@Suite("One bad connection among good ones")
struct PoisonTests {
  let world = World()

  /// The first order, which fails whenever it is begun.
  private struct PoisonedQueue: RevocationQueue {
    let queue: InMemoryRevocationQueue
    let poisoned: String

    func due(at now: Timestamp, limit: Int) async throws(StoreError) -> [String] {
      try await queue.due(at: now, limit: limit)
    }
    func begin(_ id: String, at now: Timestamp) async throws(StoreError) -> RevocationStart {
      if id == poisoned { throw .unavailable }
      return try await queue.begin(id, at: now)
    }
    func finish(_ order: RevocationOrder, at now: Timestamp, retryAt: Timestamp?) async throws(StoreError) {
      try await queue.finish(order, at: now, retryAt: retryAt)
    }
  }

  @Test("A revocation that cannot be begun keeps no other one waiting, and is reported")
  func revocations() async throws {
    world.google.fail(.revoke, .unavailable(retryAfter: nil))
    for name in ["ann", "bob", "cid"] {
      #expect(try await world.home.disconnect(try await world.connected(name)) == .pending)
      world.clock.advance(by: .seconds(1))
    }
    world.google.heal(.revoke)
    world.clock.advance(by: .seconds(60))
    let revoker = RevokeGrants(
      queue: PoisonedQueue(queue: world.queue, poisoned: world.store.revocationOrders[0].id),
      google: world.google, configuration: World.configuration, time: world.clock.source, log: world.log.log)
    await #expect(throws: StoreError.unavailable) { try await revoker.attemptDue() }
    #expect(world.store.revocationOrders.map(\.subject) == [World.account("ann").subject])
  }

  @Test("A revoker that was stopped before its call does not make it when it wakes: the account may be back")
  func stoppedRevoker() async throws {
    let user = try await world.connected()
    let google = world.google
    google.fail(.revoke, .unavailable(retryAfter: nil), times: 1)
    #expect(try await world.home.disconnect(user) == .pending)
    let order = try #require(world.store.revocationOrders.first)
    let sleepy = SleepyQueue(queue: world.queue, clock: world.clock)
    let revoker = RevokeGrants(
      queue: sleepy, google: google, configuration: World.configuration, time: world.clock.source,
      log: world.log.log)
    let calls = google.calls(.revoke)
    world.clock.advance(by: .seconds(61))
    #expect(try await revoker.attempt(order.id) == .pending)
    #expect(google.calls(.revoke) == calls)
    #expect(world.store.revocationOrders.count == 1, "it is still owed")
  }

  /// A process that is stopped for a minute and a half right after it marked the account.
  private struct SleepyQueue: RevocationQueue {
    let queue: InMemoryRevocationQueue
    let clock: TestClock

    func due(at now: Timestamp, limit: Int) async throws(StoreError) -> [String] {
      try await queue.due(at: now, limit: limit)
    }
    func begin(_ id: String, at now: Timestamp) async throws(StoreError) -> RevocationStart {
      let start = try await queue.begin(id, at: now)
      clock.advance(by: .seconds(90))
      return start
    }
    func finish(_ order: RevocationOrder, at now: Timestamp, retryAt: Timestamp?) async throws(StoreError) {
      try await queue.finish(order, at: now, retryAt: retryAt)
    }
  }

  @Test("A sweep that is cancelled sends no more flights off")
  func cancelled() async throws {
    for name in ["ann", "bob", "cid", "dan", "eve", "flo"] { _ = try await world.connected(name) }
    world.clock.advance(by: .seconds(24 * 3600))
    let calls = world.google.calls(.token)
    let sweeping = Task { await world.home.sweep.once() }
    sweeping.cancel()
    await sweeping.value
    await world.home.tokens.drain()
    #expect(world.google.calls(.token) - calls <= 4, "no more than were on their way")
  }
}
