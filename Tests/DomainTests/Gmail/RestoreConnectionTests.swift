import Domain
import Primitives
import TestSupport
import Testing

@Suite("RestoreConnection")
struct RestoreConnectionTests {
  let world = World()

  private func dead(_ name: String = "kim") async throws -> UserID {
    let user = try await world.connected(name)
    world.passAnHour()
    world.google.killGrants(of: World.account(name))
    _ = try? await world.token(user)
    return user
  }

  @Test("3.3: what was set aside gets its name back, and the next use tries it")
  func restores() async throws {
    let user = try await dead()
    world.google.reviveGrants(of: World.account("kim"))
    try await world.home.restore(email: " KIM@home.test ")
    #expect(try await world.status(user) == .connected)
    #expect(world.google.honours(try await world.token(user), at: world.clock.now))
  }

  @Test("3.3: what is restored and dead all the same is set aside again")
  func restoredDead() async throws {
    let user = try await dead()
    try await world.home.restore(email: "kim@home.test")
    await #expect(throws: TokenRefusal.needsReconnect(.invalidGrant)) { try await world.token(user) }
    #expect(try await world.vault.read(user).aside != nil)
  }

  @Test("Nothing is restored over a connection, for a stranger, or where nothing is aside")
  func refusals() async throws {
    _ = try await world.connected()
    _ = try await world.user("pat")
    await #expect(throws: RestoreConnection.Refusal.stillConnected) {
      try await world.home.restore(email: "kim@home.test")
    }
    await #expect(throws: RestoreConnection.Refusal.unknownUser) {
      try await world.home.restore(email: "nobody@home.test")
    }
    await #expect(throws: RestoreConnection.Refusal.nothingAside) {
      try await world.home.restore(email: "pat@home.test")
    }
    world.store.isAvailable = false
    await #expect(throws: RestoreConnection.Refusal.store(.unavailable)) {
      try await world.home.restore(email: "kim@home.test")
    }
  }

  @Test("A10: after a switch the old account's tokens are not restored under the new one's name")
  func neverMixes() async throws {
    let user = try await dead()
    _ = try await world.home.connect(user, world.upload(World.account("lee"), withRefreshToken: false))
    world.passAnHour()
    await world.home.sweep.once()
    await #expect(throws: RestoreConnection.Refusal.nothingAside) {
      try await world.home.restore(email: "kim@home.test")
    }
    #expect(try await world.record(user)?.account == World.account("lee"))
  }
}
