import Domain
import Primitives
import TestSupport
import Testing

@Suite("DisconnectGmail, RevokeGrants, DeleteAccount")
struct DisconnectGmailTests {
  let world = World()

  @Test("3.5: disconnecting forgets secret and identity, revokes the grant, and may be repeated")
  func disconnects() async throws {
    let user = try await world.connected()
    let token = try await world.stored(user)?.refreshToken
    #expect(try await world.home.disconnect(user) == .revoked)
    #expect(!world.google.honours(token))
    #expect(try await world.stored(user) == nil)
    #expect(try await world.record(user) == nil)
    #expect(try await world.home.disconnect(user) == .notNeeded)
    #expect(world.google.calls(.revoke) == 1)
    world.clock.advance(by: .seconds(1))
    let reply = try await world.home.connect(user, world.upload(World.account("lee")))
    #expect(reply.kind == .first, "the identity is forgotten")
  }

  @Test("3.5: an account that another user holds is not revoked")
  func heldByAnother() async throws {
    let (user, other) = try await (world.connected(), world.user("pat"))
    _ = try await world.home.connect(other, world.upload(World.account("kim")))
    #expect(try await world.home.disconnect(user) == .notNeeded)
    #expect(world.google.calls(.revoke) == 0)
    #expect(try await world.home.disconnect(other) == .revoked)
    #expect(world.store.revocationOrders.isEmpty)
  }

  @Test("3.5: with Google away the disconnect is done, and the revocation pending; the sweep pays it")
  func pending() async throws {
    let user = try await world.connected()
    let token = try await world.stored(user)?.refreshToken
    world.google.fail(.revoke, .unavailable(retryAfter: nil))
    #expect(try await world.home.disconnect(user) == .pending)
    #expect(try await world.record(user) == nil)
    world.google.heal(.revoke)
    await world.home.sweep.once()
    #expect(world.google.honours(token), "not due before its pause is over")
    world.clock.advance(by: .seconds(60))
    await world.home.sweep.once()
    #expect(!world.google.honours(token))
    #expect(world.store.revocationOrders.isEmpty)
  }

  @Test("3.5: an owed revocation is tried for 24 h, gone within them, and given up with an alert")
  func givesUp() async throws {
    let user = try await world.connected()
    world.google.fail(.revoke, .unavailable(retryAfter: nil))
    let start = world.clock.now
    try await world.home.deleteAccount(user)
    #expect(world.store.revocationOrders.count == 1)
    while !world.store.revocationOrders.isEmpty, world.clock.now < start + .seconds(25 * 3600) {
      world.clock.advance(by: .seconds(600))
      await world.home.sweep.once()
    }
    #expect(world.clock.now <= start + .seconds(24 * 3600))
    #expect(world.clock.now > start + .seconds(23 * 3600))
    #expect(world.log.count(of: "revocation_given_up") == 1)
  }

  @Test("H14: the refresh token is revoked, not an access token that may have ended")
  func revokesRefreshToken() async throws {
    let user = try await world.connected()
    let token = try await world.stored(user)?.refreshToken
    world.passAnHour()
    #expect(try await world.home.disconnect(user) == .revoked)
    #expect(!world.google.honours(token))
  }

  @Test(
    "3.5: a limited connection is revoked by its access token while that lives; after that there is nothing to"
  )
  func limited() async throws {
    let user = try await world.connected(withRefreshToken: false)
    #expect(try await world.home.disconnect(user) == .revoked)
    world.clock.advance(by: .seconds(1))
    _ = try await world.home.connect(user, world.upload(World.account("kim"), withRefreshToken: false))
    world.passAnHour()
    #expect(try await world.home.disconnect(user) == .notNeeded)
    #expect(world.google.calls(.revoke) == 1)
  }

  @Test("3.5: a grant that was set aside is let go of too, and nothing stays aside")
  func setAside() async throws {
    let user = try await world.connected()
    let token = try await world.vault.read(user).secret.tokens?.refreshToken
    world.passAnHour()
    world.google.fail(.token, .refused(.invalidGrant(rapt: false)), times: 1)
    _ = try? await world.token(user)
    #expect(try await world.vault.read(user).aside != nil)
    #expect(try await world.home.disconnect(user) == .revoked)
    #expect(!world.google.honours(token))
    #expect(try await world.vault.read(user).aside == nil)
  }

  @Test("3.5: an unusable value is removed with nothing to revoke")
  func unusable() async throws {
    let user = try await world.connected()
    world.store.corruptSecret(of: user)
    #expect(try await world.home.disconnect(user) == .notNeeded)
    guard case .none = try await world.vault.read(user).secret else {
      return #expect(Bool(false), "the value is still there")
    }
    #expect(world.store.unreadableAsides(of: user) == 0)
  }

  @Test("3.4: a token is revoked only at the Google that it came from")
  func otherGoogle() async throws {
    let user = try await world.connected()
    let moved = world.process(
      configuration: GoogleConfiguration(clientIDs: [World.client], baseURL: "https://elsewhere.test"))
    #expect(try await moved.disconnect(user) == .pending)
    #expect(world.google.calls(.revoke) == 0)
    world.clock.advance(by: .seconds(60))
    await world.home.sweep.once()
    #expect(world.google.calls(.revoke) == 1)
  }

  @Test("A store that fails after the disconnect was written does not undo it: pending, and the sweep pays")
  func storeFailsAfterwards() async throws {
    let user = try await world.connected()
    let gate = world.google.hold(.revoke)
    let disconnecting = Task { try await world.home.disconnect(user) }
    await gate.arrival()
    world.store.isAvailable = false
    gate.open()
    #expect(try await disconnecting.value == .pending)
    world.store.isAvailable = true
    #expect(try await world.record(user) == nil)
    world.clock.advance(by: .seconds(61))
    await world.home.sweep.once()
    #expect(world.store.revocationOrders.isEmpty)
  }

  @Test("A store that is away disconnects nothing, and says so")
  func storeDown() async throws {
    let user = try await world.connected()
    world.store.isAvailable = false
    await #expect(throws: StoreError.unavailable) { try await world.home.disconnect(user) }
    world.store.isAvailable = true
    #expect(try await world.status(user) == .connected)
    #expect(world.google.calls(.revoke) == 0)
  }

  @Test("3.5: deleting the account leaves nothing behind but an owed revocation")
  func deletesAccount() async throws {
    let user = try await world.connected()
    world.passAnHour()
    _ = try await world.token(user)
    world.google.fail(.revoke, .unavailable(retryAfter: nil), times: 1)
    try await world.home.deleteAccount(user)
    #expect(world.store.knows(user) == false)
    #expect(world.store.revocationOrders.map(\.subject) == [World.account("kim").subject])
    world.clock.advance(by: .seconds(60))
    await world.home.sweep.once()
    #expect(world.store.revocationOrders.isEmpty)
  }

  @Test("3.5: an upload that slips in while the account is deleted is let go of too")
  func uploadDuringDeletion() async throws {
    let user = try await world.connected()
    let upload = world.upload(World.account("lee"))
    let gate = world.google.hold(.revoke)
    let deleting = Task { try await world.home.deleteAccount(user) }
    await gate.arrival()
    _ = try await world.home.connect(user, upload)
    gate.open()
    try await deleting.value
    #expect(world.store.knows(user) == false)
    #expect(!world.google.honours(upload.refreshToken))
  }
}
