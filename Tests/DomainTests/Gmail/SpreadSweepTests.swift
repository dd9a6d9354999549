import Domain
import Primitives
import TestSupport
import Testing

@Suite("A sweep spread over processes")
struct SpreadSweepTests {
  let world = World()

  private func dueTomorrow(_ names: String...) async throws -> [UserID] {
    var users: [UserID] = []
    for name in names { users.append(try await world.connected(name)) }
    world.clock.advance(by: .seconds(24 * 3600))
    return users
  }

  @Test("finds who is due, and only them")
  func findsDue() async throws {
    let users = try await dueTomorrow("ann", "bob")
    _ = try await world.connected("cid")
    #expect(Set(try await world.home.sweep.due(limit: 10)) == Set(users))
    #expect(try await world.home.sweep.due(limit: 1).count == 1)
  }

  @Test("a grant that was handed on twice is used once, in whatever process")
  func handedOnTwice() async throws {
    let user = try await dueTomorrow("ann")[0]
    let calls = world.google.calls(.token)
    try await world.home.sweep.useIfDue(user)
    try await world.process().sweep.useIfDue(user)
    #expect(world.google.calls(.token) == calls + 1)
    #expect(try await world.status(user) == .connected)
  }

  @Test("who is gone, or cannot be refreshed, is nothing to do")
  func nothingToDo() async throws {
    let limited = try await world.connected("ann", withRefreshToken: false)
    let calls = world.google.calls(.token)
    try await world.home.sweep.useIfDue(limited)
    try await world.home.sweep.useIfDue(UserID("user_nobody"))
    #expect(world.google.calls(.token) == calls)
  }

  @Test("a secret of the older backend, which has no record, is used when someone says that it is due")
  func oldSecret() async throws {
    let user = try await world.connected("ann")
    let tokens = try #require(try await world.stored(user))
    try await world.plantOldSecret(user, tokens)
    let calls = world.google.calls(.token)
    try await world.home.sweep.useIfDue(user)
    #expect(world.google.calls(.token) == calls + 1)
  }

  @Test("a death that the daily use finds is settled, and no failure")
  func death() async throws {
    let user = try await dueTomorrow("ann")[0]
    world.google.killGrants(of: World.account("ann"))
    try await world.home.sweep.useIfDue(user)
    #expect(try await world.status(user) == .needsReconnect)
  }

  @Test("while a policy blocks it the next use is a day away, which is written before anyone is told")
  func putOff() async throws {
    let user = try await dueTomorrow("ann")[0]
    world.google.fail(.token, .refused(.adminPolicyEnforced))
    try await world.home.sweep.useIfDue(user)
    let next = try #require(try await world.record(user)?.nextUseAt)
    #expect(next > world.clock.now + .seconds(20 * 3600))
    #expect(world.log.count(of: "grant_use_put_off") == 1)
    #expect(try await world.home.sweep.due(limit: 10).isEmpty)
  }

  @Test("a store that does not answer is a failure of the use and of the tidying up")
  func store() async throws {
    let user = try await dueTomorrow("ann")[0]
    world.store.isAvailable = false
    await #expect(throws: StoreError.unavailable) { try await world.home.sweep.useIfDue(user) }
    await #expect(throws: StoreError.unavailable) { try await world.home.sweep.tidyUp() }
    await #expect(throws: StoreError.unavailable) { try await world.home.sweep.due(limit: 1) }
    world.store.isAvailable = true
    try await world.home.sweep.useIfDue(user)
    try await world.home.sweep.tidyUp()
  }

  @Test("tidying up pays what is owed and ends what is spent, and uses no grant")
  func tidiesUp() async throws {
    let user = try await world.connected("ann", withRefreshToken: false)
    let other = try await world.connected("bob")
    world.google.fail(.revoke, .unavailable(retryAfter: nil))
    _ = try await world.home.disconnect(other)
    world.google.heal(.revoke)
    world.clock.advance(by: .seconds(7200))
    let calls = world.google.calls(.token)
    try await world.home.sweep.tidyUp()
    #expect(world.store.revocationOrders.isEmpty)
    #expect(try await world.record(user)?.recordedStatus == .needsReconnect)
    #expect(world.google.calls(.token) == calls)
  }

  @Test("while deaths are doubted, one of those that the wave set aside is handed on, and tried")
  func probe() async throws {
    let names = ["ann", "bob", "cid", "dan", "eve", "fay"]
    for name in names { _ = try await world.connected(name) }
    world.passAnHour()
    for name in names { world.google.killGrants(of: World.account(name)) }
    for name in names { _ = try? await world.token(UserID("user_" + name)) }
    for name in names { world.google.reviveGrants(of: World.account(name)) }
    #expect(try await world.ledger.brakeSince() != nil)
    let due = try await world.home.sweep.due(limit: 10)
    let doubted = try #require(due.last)
    try await world.home.sweep.useIfDue(doubted)
    #expect(try await world.status(doubted) == .connected)
    #expect(try await world.ledger.brakeSince() == nil, "its success ends the doubt")
  }
}
