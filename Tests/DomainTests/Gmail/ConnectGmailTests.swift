import Domain
import Primitives
import TestSupport
import Testing

@Suite("ConnectGmail")
struct ConnectGmailTests {
  let world = World()

  @Test("3.1.5: nothing stored: a first connection")
  func first() async throws {
    let user = try await world.user()
    let upload = world.upload(World.account("kim"))
    let reply = try await world.home.connect(user, upload)
    #expect(reply.kind == .first)
    #expect(reply.googleEmail == "kim@gmail.test")
    #expect(reply.previousGoogleEmail == nil)
    let tokens = try #require(try await world.stored(user))
    #expect(tokens.refreshToken == upload.refreshToken)
    #expect(tokens.accessToken != upload.accessToken, "the fresh token of the proof is stored")
    #expect(tokens.clientID == World.client)
    #expect(tokens.googleBaseURL == World.baseURL)
    #expect(tokens.fence == 0)
    #expect(try await world.status(user) == .connected)
    #expect(try await world.record(user)?.connectedAt == world.clock.now)
  }

  @Test("A3: the same account and no refresh token supplied: the stored one, its client and grant stay")
  func keepsRefreshToken() async throws {
    let user = try await world.user()
    _ = try await world.home.connect(user, world.upload(World.account("kim"), client: World.otherClient))
    let before = try #require(try await world.stored(user))
    world.clock.advance(by: .seconds(60))
    let upload = world.upload(World.account("kim"), withRefreshToken: false)
    #expect(try await world.home.connect(user, upload).kind == .same)
    let after = try #require(try await world.stored(user))
    #expect(after.refreshToken == before.refreshToken)
    #expect(after.clientID == World.otherClient, "the client that the kept refresh token belongs to")
    #expect(after.grantID == before.grantID)
    #expect(after.accessToken == upload.accessToken)
    #expect(try await world.status(user) == .connected)
  }

  @Test("A9: the same account and a new refresh token: the newest one is kept, under a new grant")
  func replacesRefreshToken() async throws {
    let user = try await world.connected()
    let before = try #require(try await world.stored(user))
    let upload = world.upload(World.account("kim"))
    #expect(try await world.home.connect(user, upload).kind == .same)
    let after = try #require(try await world.stored(user))
    #expect(after.refreshToken == upload.refreshToken)
    #expect(after.grantID != before.grantID)
    await world.home.revoker.drain()
    #expect(world.google.calls(.revoke) == 0, "a revocation would kill the new grant too")
  }

  @Test("A10: another account and no refresh token: the old one is not carried over; it is limited")
  func neverMixes() async throws {
    let user = try await world.connected()
    let reply = try await world.home.connect(
      user, world.upload(World.account("lee"), withRefreshToken: false))
    #expect(reply.kind == .switched)
    #expect(reply.previousGoogleEmail == "kim@gmail.test")
    let tokens = try #require(try await world.stored(user))
    #expect(tokens.refreshToken == nil)
    #expect(tokens.account == World.account("lee"))
    #expect(try await world.status(user) == .limited)
    await world.home.revoker.drain()
    #expect(
      world.google.calls(.revoke) == 0, "a switch to a connection without a refresh token revokes nothing")
  }

  @Test("3.5: a switch lets go of the old account's grant, which is then revoked")
  func switches() async throws {
    let user = try await world.connected()
    let old = try await world.stored(user)?.refreshToken
    let reply = try await world.home.connect(user, world.upload(World.account("lee")))
    #expect(reply.kind == .switched)
    #expect(reply.previousGoogleEmail == "kim@gmail.test")
    await world.home.revoker.drain()
    #expect(world.google.calls(.revoke) == 1)
    #expect(!world.google.honours(old))
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("3.5: a switch away from an account that another user holds revokes nothing")
  func switchFromSharedAccount() async throws {
    let user = try await world.connected()
    let other = try await world.user("pat")
    _ = try await world.home.connect(other, world.upload(World.account("kim")))
    _ = try await world.home.connect(user, world.upload(World.account("lee")))
    await world.home.revoker.drain()
    #expect(world.google.calls(.revoke) == 0)
    #expect(world.google.honours(try await world.stored(other)?.refreshToken))
    #expect(world.store.revocationOrders.isEmpty)
  }

  @Test(
    "3.1.5: an older secret without sub is compared by case-folded e-mail",
    arguments: [
      ("KIM@Gmail.Test", ConnectReply.Kind.same), ("lee@gmail.test", .switched), ("", .first),
    ])
  func olderSecret(email: String, kind: ConnectReply.Kind) async throws {
    let user = try await world.connected()
    var old = try #require(try await world.stored(user))
    old = OAuthTokens(
      accessToken: old.accessToken, refreshToken: old.refreshToken, expiresAt: old.expiresAt,
      expiresIn: old.expiresIn, scopes: old.scopes, writtenAt: old.writtenAt,
      account: GoogleAccount(subject: GoogleSubject(""), email: email, name: "", emailVerified: false),
      clientID: nil, googleBaseURL: nil, grantID: nil, fence: 0)
    try await world.plantOldSecret(user, old)
    let upload = world.upload(World.account("kim"), withRefreshToken: false)
    #expect(try await world.home.connect(user, upload).kind == kind)
    #expect((try await world.stored(user)?.refreshToken != nil) == (kind == .same))
    if kind == .same { #expect(try await world.record(user)?.nextUseAt != nil, "the sweep finds it") }
  }

  @Test(
    "3.1.5: a store that cannot be read is .store(.unavailable); Google is not asked, nothing is overwritten")
  func storeDown() async throws {
    let user = try await world.connected()
    let before = try await world.stored(user)
    let upload = world.upload(World.account("kim"))
    let calls = world.google.calls
    world.store.isAvailable = false
    await #expect(throws: ConnectRefusal.store(.unavailable)) { try await world.home.connect(user, upload) }
    #expect(world.google.calls == calls)
    world.store.isAvailable = true
    #expect(try await world.stored(user) == before)
  }

  @Test("3.1.7: a store that fails between proof and write stores nothing, and a repeat of the upload works")
  func storeDownAtTheWrite() async throws {
    let user = try await world.user()
    let upload = world.upload(World.account("kim"))
    let gate = world.google.hold(.token, .onReturn)
    let connecting = Task { try await world.home.connect(user, upload) }
    await gate.arrival()
    world.store.isAvailable = false
    gate.open()
    await #expect(throws: ConnectRefusal.store(.unavailable)) { try await connecting.value }
    world.store.isAvailable = true
    #expect(try await world.record(user) == nil)
    #expect(try await world.home.connect(user, upload).kind == .first)
  }

  @Test("D2: without a configured client ID every upload is refused, and Google is not asked")
  func notConfigured() async throws {
    let user = try await world.user()
    let bare = world.process(configuration: GoogleConfiguration(clientIDs: [], baseURL: World.baseURL))
    let upload = world.upload(World.account("kim"))
    await #expect(throws: ConnectRefusal.notConfigured) { try await bare.connect(user, upload) }
    #expect(world.google.calls == 0)
  }

  @Test("A user who is deleted meanwhile is not connected")
  func deletedUser() async throws {
    let upload = world.upload(World.account("kim"))
    await #expect(throws: ConnectRefusal.store(.noSuchUser)) {
      try await world.home.connect(UserID("user_gone"), upload)
    }
  }

  @Test(
    "3.1.8: the reply's scopes are the body's that Google confirms, in its order, then the others, sorted")
  func scopes() async throws {
    let user = try await world.user()
    let granted = world.upload(World.account("kim"))
    let upload = UploadedTokens(
      accessToken: granted.accessToken, refreshToken: granted.refreshToken,
      scopes: GrantedScopes("\(GrantedScopes.gmailReadonly) https://made.up/scope email"))
    #expect(
      try await world.home.connect(user, upload).scope == "\(GrantedScopes.gmailReadonly) email openid")
  }
}
