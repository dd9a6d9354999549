import AWS
import Domain
import HTTP
import Primitives
import TestSupport
import Testing
import paypulse_lambda

@Suite("Requests through the function")
struct RequestTests {
  @Test("a person connects, and is shown as connected")
  func connects() async throws {
    let world = try await FunctionWorld()
    let user = try await world.connect()
    let reply = try await world.request("GET", "/v1/user/me", token: world.session(user))
    #expect(reply.status == 200)
    #expect(reply.body?["data"]?["gmail_account_connected"] == true)
    #expect(world.log.count(of: "request") == 2)
  }

  @Test("below a base path")
  func basePath() async throws {
    let world = try await FunctionWorld(basePath: "/api")
    #expect(try await world.request("GET", "/api/healthz").status == 200)
    #expect(try await world.request("GET", "/healthz").status == 200)
    #expect(try await world.request("GET", "/api/nothing").body?["error"]?["code"] == "NOT_FOUND")
  }

  @Test("a body over 64 KiB is 413 with the request's id")
  func largeBody() async throws {
    let world = try await FunctionWorld()
    let reply = try await world.request(
      "POST", "/v1/auth/login", body: String(repeating: " ", count: (64 << 10) + 1))
    #expect(reply.status == 413)
    #expect(reply.body?["error"]?["request_id"] == "request")
  }

  @Test("what was begun behind the reply is done before it: the revocation of the account that was left")
  func nothingIsOwed() async throws {
    let world = try await FunctionWorld()
    let user = try await world.connect()
    let gate = world.google.hold(.revoke)
    let tokens = world.google.consent(
      FunctionWorld.account("other"), clientID: FunctionWorld.client, at: world.clock.now)
    let reply = Task {
      try await world.request(
        "POST", "/v1/auth/gmail-tokens", token: world.session(user),
        body: JSONValue.object([
          "access_token": .string(tokens.access.secret.expose()),
          "refresh_token": .string(tokens.refresh.secret.expose()),
        ]).text)
    }
    await gate.arrival()
    #expect(world.log.count(of: "request") == 1, "only that of the first connection")
    gate.open()
    #expect(try await reply.value.status == 201)
    #expect(world.store.revocationOrders.isEmpty)
  }

  @Test("behind an HTTP API there are 25 s, whatever the function has")
  func shorterDeadline() async throws {
    let world = try await FunctionWorld()
    let user = try await world.user()
    let gate = world.google.hold(.tokenInfo)
    let reply = Task {
      try await world.request(
        "POST", "/v1/auth/gmail-tokens", token: world.session(user), body: #"{"access_token":"ya29.x"}"#)
    }
    await gate.arrival()
    #expect(world.deadline.remaining(at: world.clock.now) == .seconds(25))
    gate.open()
    _ = try await reply.value
  }
}

@Suite("Settings that change while the process lives")
struct LiveSettingsTests {
  private static let second = SecretSettings(
    jwtSecret: Secret("second key"), googleClientIDs: [FunctionWorld.client.rawValue])

  @Test("a token of the new key is accepted at once, and then one of the old key is not")
  func rotation() async throws {
    let world = try await FunctionWorld()
    let user = try await world.user()
    world.clock.advance(by: LiveBackend.pause)
    world.settings.set(Self.second)
    #expect(
      try await world.request("GET", "/v1/user/me", token: world.session(user, key: "second key")).status
        == 200)
    #expect(try await world.request("GET", "/v1/user/me", token: world.session(user)).status == 401)
  }

  @Test("tokens that do not verify make the settings read again, and not more often than every 30 s")
  func boundedRate() async throws {
    let world = try await FunctionWorld()
    for _ in 0..<20 { #expect(try await world.request("GET", "/v1/user/me", token: "x.y.z").status == 401) }
    #expect(world.settings.reads == 1, "they were read only just now")
    world.clock.advance(by: LiveBackend.pause)
    for _ in 0..<20 { #expect(try await world.request("GET", "/v1/user/me", token: "x.y.z").status == 401) }
    #expect(world.settings.reads == 2)
  }

  @Test("no token, or one that has ended, is no reason to read them again")
  func otherRefusals() async throws {
    let world = try await FunctionWorld()
    let user = try await world.user()
    let session = world.session(user)
    world.clock.advance(by: .seconds(200))
    #expect(try await world.request("GET", "/v1/user/me").status == 401)
    #expect(world.settings.reads == 1)
    world.clock.advance(by: .seconds(86_400))
    _ = try await world.request("GET", "/healthz")
    let reads = world.settings.reads
    world.clock.advance(by: .seconds(60))
    #expect(try await world.request("GET", "/v1/user/me", token: session).status == 401)
    #expect(world.settings.reads == reads)
  }

  @Test("they are read again after five minutes; what cannot be read stays as it was")
  func age() async throws {
    let world = try await FunctionWorld()
    let user = try await world.user()
    world.settings.set(nil)
    world.clock.advance(by: LiveBackend.lifetime)
    #expect(try await world.request("GET", "/v1/user/me", token: world.session(user)).status == 200)
    #expect(world.settings.reads == 2)
    #expect(world.log.count(of: "settings_not_read") == 1)
    _ = try await world.request("GET", "/healthz")
    #expect(world.settings.reads == 2, "not again at once")
    world.settings.set(Self.second)
    world.clock.advance(by: LiveBackend.lifetime)
    #expect(
      try await world.request("GET", "/v1/user/me", token: world.session(user, key: "second key")).status
        == 200)
    #expect(world.log.count(of: "settings_changed") == 1)
  }

  @Test("limits go on counting over a change")
  func limits() async throws {
    let world = try await FunctionWorld()
    _ = try await world.user()
    let wrong = #"{"email":"kim@home.test","password":"wrong"}"#
    for _ in 0..<10 { #expect(try await world.request("POST", "/v1/auth/login", body: wrong).status == 401) }
    world.settings.set(Self.second)
    world.clock.advance(by: LiveBackend.lifetime)
    #expect(try await world.request("POST", "/v1/auth/login", body: wrong).status == 429)
  }
}
