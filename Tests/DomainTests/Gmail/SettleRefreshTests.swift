import Domain
import Primitives
import TestSupport
import Testing

@Suite("SettleRefresh: what a refresh may write")
struct SettleRefreshTests {
  let world = World()

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
    let (gate, flight) = try await world.refreshInTheAir(user)
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
    let (gate, flight) = try await world.refreshInTheAir(user)
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
    let (gate, flight) = try await world.refreshInTheAir(user)
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
    let (gate, flight) = try await world.refreshInTheAir(user)
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
    let (gate, flight) = try await world.refreshInTheAir(user)
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
    let (gate, flight) = try await world.refreshInTheAir(user)
    let wider = GrantedScopes(FakeGoogle.fullScopes.joined + " https://www.googleapis.com/auth/gmail.labels")
    _ = try await world.home.connect(
      user, world.upload(World.account("kim"), scopes: wider, withRefreshToken: false))
    gate.open()
    _ = try await flight.value
    #expect(try await world.stored(user)?.scopes == wider)
  }

  @Test("A store that is away when Google rotated the token is written to once it is back")
  func storeAwayDuringRotation() async throws {
    let user = try await world.connected()
    world.google.configure { $0.rotates = true }
    world.passAnHour()
    let (gate, flight) = try await world.refreshInTheAir(user)
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
