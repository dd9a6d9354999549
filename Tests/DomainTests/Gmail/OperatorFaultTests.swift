import Domain
import Primitives
import TestSupport
import Testing

@Suite("RefreshGrant: the operator's mistakes cost nobody their connection")
struct OperatorFaultTests {
  let world = World()

  @Test(
    "3.4: an operator fault keeps users connected, with exactly one alert",
    arguments: [OAuthErrorCode.clientMisconfigured, .unauthorizedClient])
  func oneAlert(code: OAuthErrorCode) async throws {
    let users = try await [world.connected("ann"), world.connected("bob"), world.connected("cid")]
    world.passAnHour()
    world.google.fail(.token, .refused(code))
    for user in users + users {
      await #expect(throws: TokenRefusal.operatorFault) { try await world.token(user) }
      #expect(try await world.status(user) == .connected)
      #expect(try await world.stored(user) != nil)
    }
    #expect(world.log.alerts.count == 1)
    world.google.heal(.token)
    for user in users { _ = try await world.token(user) }
    #expect(world.log.alerts.count == 1)
  }

  @Test("3.4: an operator fault that comes back after it was mended is told again")
  func toldAgain() async throws {
    let user = try await world.connected()
    for round in 1...2 {
      world.passAnHour()
      world.google.fail(.token, .refused(.clientMisconfigured), times: 1)
      await #expect(throws: TokenRefusal.operatorFault) { try await world.token(user) }
      #expect(world.log.alerts.count == round)
      _ = try await world.token(user)
    }
  }

  @Test("3.4: one user's unauthorized_client is told once, while others' refreshes go on working")
  func oneStrayUser() async throws {
    let (stray, other) = try await (world.connected("ann"), world.connected("bob"))
    try await world.vault.update(stray) { stored in
      var tokens = stored.secret.tokens
      tokens?.clientID = World.otherClient
      return (VaultChange(secret: tokens.map { .put($0) } ?? .keep), ())
    }
    for _ in 0..<3 {
      world.passAnHour()
      await #expect(throws: TokenRefusal.operatorFault) { try await world.token(stray) }
      _ = try await world.token(other)
    }
    #expect(world.log.alerts.count == 1)
    #expect(try await world.status(stray) == .connected)
  }

  @Test(
    "H7: a client ID that is not configured: no call, nothing deleted, one alert; it heals when put right")
  func otherClientID() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let wrong = world.process(
      configuration: GoogleConfiguration(
        clientIDs: [GoogleClientID("new.apps.googleusercontent.com")], baseURL: World.baseURL))
    let calls = world.google.calls
    for _ in 0..<3 {
      await #expect(throws: TokenRefusal.operatorFault) { try await wrong.tokens.accessToken(for: user) }
    }
    #expect(world.google.calls == calls)
    #expect(world.log.alerts.count == 1)
    #expect(try await world.status(user) == .connected)
    #expect(world.google.honours(try await world.token(user), at: world.clock.now))
  }

  @Test(
    "3.4: a base URL that is not configured: no call, nothing deleted, one alert; it heals when put right")
  func otherBaseURL() async throws {
    let user = try await world.connected()
    world.passAnHour()
    let wrong = world.process(
      configuration: GoogleConfiguration(clientIDs: [World.client], baseURL: "https://elsewhere.test"))
    let calls = world.google.calls
    for _ in 0..<3 {
      await #expect(throws: TokenRefusal.operatorFault) { try await wrong.tokens.accessToken(for: user) }
    }
    #expect(world.google.calls == calls)
    #expect(world.log.alerts.count == 1)
    _ = try await world.token(user)
  }

  @Test("3.4: one grant of a retired client ID is told once, while others' refreshes go on working")
  func retiredClient() async throws {
    let old = try await world.user("ann")
    _ = try await world.home.connect(old, world.upload(World.account("ann"), client: World.otherClient))
    let other = try await world.connected("bob")
    let newer = world.process(
      configuration: GoogleConfiguration(clientIDs: [World.client], baseURL: World.baseURL))
    for _ in 0..<3 {
      world.passAnHour()
      await #expect(throws: TokenRefusal.operatorFault) { try await newer.tokens.accessToken(for: old) }
      _ = try await newer.tokens.accessToken(for: other)
    }
    #expect(world.log.alerts.count == 1)
  }

  @Test("3.2: an older secret without client and base URL uses the configured ones, and records both")
  func olderSecret() async throws {
    let user = try await world.connected()
    var old = try #require(try await world.stored(user))
    (old.clientID, old.googleBaseURL, old.grantID) = (nil, nil, nil)
    try await world.plantOldSecret(user, old)
    world.passAnHour()
    _ = try await world.token(user)
    let tokens = try #require(try await world.stored(user))
    #expect(tokens.clientID == World.client)
    #expect(tokens.googleBaseURL == World.baseURL)
    #expect(tokens.grantID != nil)
    #expect(try await world.status(user) == .connected, "and it has a record from now on")
    #expect(try await world.record(user)?.nextUseAt != nil, "so that the sweep finds it")
  }

  @Test("3.2: an older secret without a record dies like any other: one call, then needs_reconnect")
  func olderSecretDies() async throws {
    let user = try await world.connected()
    var old = try #require(try await world.stored(user))
    (old.clientID, old.googleBaseURL, old.grantID) = (nil, nil, nil)
    try await world.plantOldSecret(user, old)
    world.passAnHour()
    world.google.killGrants(of: World.account("kim"))
    let calls = world.google.calls(.token)
    for _ in 0..<3 {
      await #expect(throws: TokenRefusal.needsReconnect(.invalidGrant)) { try await world.token(user) }
    }
    #expect(world.google.calls(.token) == calls + 1)
    #expect(try await world.record(user)?.account == World.account("kim"))
  }

  @Test("3.2: an older secret without a record is blocked like any other, after one call")
  func olderSecretBlocked() async throws {
    let user = try await world.connected()
    var old = try #require(try await world.stored(user))
    (old.clientID, old.googleBaseURL, old.grantID) = (nil, nil, nil)
    try await world.plantOldSecret(user, old)
    world.passAnHour()
    world.google.fail(.token, .refused(.accessDenied), times: 5)
    let calls = world.google.calls(.token)
    await #expect(throws: TokenRefusal.blocked(.accessDenied)) { try await world.token(user) }
    #expect(world.google.calls(.token) == calls + 1)
    #expect(try await world.status(user) == .blocked)
  }
}
