import Domain
import Primitives
import TestSupport
import Testing

@Suite("ConnectGmail after the connection was lost")
struct ReconnectTests {
  let world = World()

  @Test("3.1.5: a value that holds no usable tokens is moved aside, never destroyed, and needs a reconnect")
  func unusableValue() async throws {
    let user = try await world.connected()
    world.store.corruptSecret(of: user)
    await #expect(throws: TokenRefusal.needsReconnect(.unreadable)) { try await world.token(user) }
    #expect(try await world.status(user) == .needsReconnect)
    #expect(world.store.unreadableAsides(of: user) == 1)
    let reply = try await world.home.connect(user, world.upload(World.account("lee")))
    #expect(reply.kind == .switched, "the record still tells whose it was")
    #expect(world.store.unreadableAsides(of: user) == 1)
  }

  @Test("3.1.5: a connect over an unusable value moves it aside; without a refresh token it is limited")
  func connectOverUnusable() async throws {
    let user = try await world.connected()
    world.store.corruptSecret(of: user)
    let upload = world.upload(World.account("kim"), withRefreshToken: false)
    #expect(try await world.home.connect(user, upload).kind == .same)
    #expect(world.store.unreadableAsides(of: user) == 1)
    #expect(try await world.status(user) == .limited)
  }

  @Test("3.1.5: junk that nobody knows the owner of is no account to switch from")
  func unusableOfUnknownOwner() async throws {
    let user = try await world.connected()
    let tokens = try #require(try await world.stored(user))
    try await world.plantOldSecret(user, tokens)
    world.store.corruptSecret(of: user)
    await #expect(throws: TokenRefusal.needsReconnect(.unreadable)) { try await world.token(user) }
    let reply = try await world.home.connect(user, world.upload(World.account("kim")))
    #expect(reply.kind == .first)
    #expect(reply.previousGoogleEmail == nil)
  }

  @Test("3.1.6: a refresh token that is known to be dead is not taken back: limited, under a new grant")
  func deadIsNotTakenBack() async throws {
    let user = try await world.connected()
    let grant = try await world.stored(user)?.grantID
    world.passAnHour()
    world.google.killGrants(of: World.account("kim"))
    _ = try? await world.token(user)
    let upload = world.upload(World.account("kim"), withRefreshToken: false)
    #expect(try await world.home.connect(user, upload).kind == .same)
    #expect(try await world.stored(user)?.refreshToken == nil)
    #expect(try await world.stored(user)?.grantID != grant)
    #expect(try await world.status(user) == .limited)
    let other = try await world.home.connect(user, world.upload(World.account("lee")))
    #expect(other.previousGoogleEmail == "kim@gmail.test")
  }

  @Test("3.3: a switch after needs_reconnect is still noticed")
  func switchAfterDeath() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.killGrants(of: World.account("kim"))
    _ = try? await world.token(user)
    let reply = try await world.home.connect(user, world.upload(World.account("lee")))
    #expect(reply.kind == .switched)
    #expect(reply.previousGoogleEmail == "kim@gmail.test")
  }
}
