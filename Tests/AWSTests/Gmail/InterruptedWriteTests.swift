import Domain
import HTTP
import Primitives
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  /// Processes that are killed, stopped or overtaken between the record and the secret.
  @Suite("Writes that are interrupted between the record and the secret")
  struct InterruptedWriteTests {
    private let ada = UserID("user_ada")
    private let noon = StoreFixture.noon

    /// A world with a user, a process to be interrupted, and another.
    private func world(connected: Bool = true) async throws -> (WatchedHTTP, StoresOnMoto, StoresOnMoto) {
      let other = try await StoresOnMoto(.secretsManager)
      _ = try await other.fixture.add("ada")
      if connected { try await other.fixture.connect(ada) }
      let http = WatchedHTTP()
      return (http, try other.process(http: http), other)
    }

    /// The process dies at `action`: it is never sent, and nothing after it.
    private func kill(_ http: WatchedHTTP, at action: String, after count: Int = 0) {
      let counter = Counter()
      http.intercept { (name, send) async throws(HTTPClientError) in
        if name == action, counter.next() >= count { counter.end() }
        if counter.isOver { throw .cancelled }
        return try await send()
      }
    }

    private func put(_ access: String, account: String = "sub-1", order: RevocationOrder? = nil)
      -> VaultChange
    {
      VaultChange(
        secret: .put(.sample(account: account, access: access)),
        connection: .put(.sample(account: account, status: .blocked)), revocation: order)
    }

    @Test(
      "killed between record and secret: what stood before stands, for readers at once and for writers soon")
    func killed() async throws {
      let (http, dying, other) = try await world()
      kill(http, at: "PutSecretValue")
      await #expect(throws: StoreError.unavailable) { try await dying.fixture.change(ada, put("ya29.lost")) }
      for _ in 0..<2 {
        let snapshot = try await other.stores.vault.read(ada)
        #expect(snapshot.secret.tokens == .sample() && snapshot.connection == .sample())
        #expect(try await other.stores.users.profile(of: ada)?.connection == .sample())
        other.clock.advance(by: WriteIntent.lifetime)
      }
      let seen = try await other.stores.vault.update(ada) {
        ($0.secret.tokens.map { .put($0, "b") } ?? .none, $0)
      }
      #expect(seen.secret.tokens == .sample() && seen.connection == .sample())
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample(access: "ya29.access" + "b"))
    }

    @Test("a writer waits for one that is at it, and no longer than its time")
    func waits() async throws {
      let (http, dying, other) = try await world()
      kill(http, at: "PutSecretValue")
      let start = other.clock.now
      await #expect(throws: StoreError.unavailable) { try await dying.fixture.change(ada, put("ya29.lost")) }
      try await other.fixture.change(ada, put("ya29.next"))
      #expect(other.clock.now >= start + WriteIntent.lifetime && other.clock.now < start + .seconds(20))
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample(access: "ya29.next"))
    }

    @Test("a first connect that was killed leaves nobody connected, and its account unheld")
    func killedFirst() async throws {
      let (http, dying, other) = try await world(connected: false)
      kill(http, at: "CreateSecret")
      await #expect(throws: StoreError.unavailable) { try await dying.fixture.change(ada, put("ya29.lost")) }
      let snapshot = try await other.stores.vault.read(ada)
      #expect(snapshot.secret.isNone && snapshot.connection == nil)
      #expect(try await other.stores.users.profile(of: ada)?.connection == nil)
      other.clock.advance(by: WriteIntent.lifetime)
      try await other.fixture.queue(.sample("order-1"), by: ada)
      #expect(try await other.stores.revocations.begin("order-1", at: noon).order != nil)
    }

    @Test("a switch that was killed before the secret keeps the old account held, and revokes nothing")
    func killedSwitch() async throws {
      let (http, dying, other) = try await world()
      kill(http, at: "PutSecretValue")
      let change = put("ya29.eve", account: "sub-2", order: .sample("order-1"))
      await #expect(throws: StoreError.unavailable) { try await dying.fixture.change(ada, change) }
      #expect(try await other.stores.revocations.begin("order-1", at: noon).isGone)
      other.clock.advance(by: WriteIntent.lifetime)
      try await other.fixture.queue(.sample("order-2"), by: ada)
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample())
      #expect(try await other.stores.revocations.begin("order-2", at: noon).isHeld)
      try await other.fixture.queue(.sample("order-3", account: "sub-2"), by: ada)
      #expect(try await other.stores.revocations.begin("order-3", at: noon).order != nil)
      #expect(try await other.stores.revocations.begin("order-1", at: noon).isGone)
    }

    @Test(
      "a switch that was killed after the secret is settled by the next change: the old account is let go of")
    func killedBeforeSettling() async throws {
      let (http, dying, other) = try await world()
      kill(http, at: "TransactWriteItems", after: 1)
      // The switch is done: the tokens are there, and its revocation is on record.
      try await dying.fixture.change(ada, put("ya29.eve", account: "sub-2", order: .sample("order-1")))
      #expect(
        try await other.stores.vault.read(ada).secret.tokens == .sample(account: "sub-2", access: "ya29.eve"))
      #expect(try await other.stores.revocations.begin("order-1", at: noon).isGone)
      try await other.fixture.change(ada, VaultChange(connection: .put(.sample(account: "sub-2"))))
      #expect(try await other.stores.revocations.begin("order-1", at: noon).order == .sample("order-1"))
    }

    @Test(
      "a removal that was killed is one all the same: gone for us, revoked, and removed by the next who looks"
    )
    func killedRemoval() async throws {
      let (http, dying, other) = try await world()
      kill(http, at: "DeleteSecret")
      let removal = VaultChange(
        secret: .remove, connection: .forget, discardsAsides: true, revocation: .sample("order-1"))
      await #expect(throws: StoreError.unavailable) { try await dying.fixture.change(ada, removal) }
      let snapshot = try await other.stores.vault.read(ada)
      #expect(snapshot.secret.isNone && snapshot.connection == nil)
      #expect(try await other.stores.users.profile(of: ada)?.connection == nil)
      #expect(try await other.stores.revocations.begin("order-1", at: noon).order != nil)
      try await other.fixture.change(
        ada, VaultChange(secret: .remove, connection: .forget, discardsAsides: true))
      #expect(try await other.secretText(of: ada) == nil)
    }

    @Test(
      "a writer that was stopped before the secret wakes late: nothing of those who came meanwhile is lost")
    func late() async throws {
      let (http, stopped, other) = try await world()
      let (ada, clock) = (ada, other.clock)
      let counted: @Sendable (VaultSnapshot) -> (change: VaultChange, result: Void) = { stored in
        (VaultChange(secret: .put(.sample(fence: (stored.secret.tokens?.fence ?? -1000) + 1))), ())
      }
      let isFirst = Counter()
      http.intercept { (name, send) async throws(HTTPClientError) in
        if name == "PutSecretValue", isFirst.next() == 0 {
          clock.advance(by: WriteIntent.lifetime)
          for _ in 0..<2 { try? await other.stores.vault.update(ada, counted) }
        }
        return try await send()
      }
      try await stopped.stores.vault.update(ada, counted)
      for process in [stopped, other] {
        #expect(try await process.stores.vault.read(ada).secret.tokens?.fence == 3)
      }
      let text = try #require(try await other.secretText(of: ada))
      #expect(JSONValue(json: Array(text.utf8))?["fence"]?.integer ?? 0 >= 4)
    }

    @Test("a writer that was stopped after the secret, and built upon since, does not make its change again")
    func builtUpon() async throws {
      let (http, stopped, other) = try await world()
      let (ada, clock) = (ada, other.clock)
      let counted: @Sendable (VaultSnapshot) -> (change: VaultChange, result: Void) = { stored in
        (VaultChange(secret: .put(.sample(fence: (stored.secret.tokens?.fence ?? -1000) + 1))), ())
      }
      http.intercept { (name, send) async throws(HTTPClientError) in
        let response = try await send()
        if name == "PutSecretValue" {
          clock.advance(by: WriteIntent.lifetime)
          try? await other.stores.vault.update(ada, counted)
        }
        return response
      }
      try await stopped.stores.vault.update(ada, counted)
      #expect(try await other.stores.vault.read(ada).secret.tokens?.fence == 2)
    }

    @Test("what a late writer put, who died then, is not what stands; the newer value is read, and put back")
    func lateAndDead() async throws {
      let (http, stopped, other) = try await world()
      let (ada, clock, next) = (ada, other.clock, put("ya29.next"))
      let isDead = Counter()
      http.intercept { (name, send) async throws(HTTPClientError) in
        if isDead.isOver { throw .cancelled }
        guard name == "PutSecretValue" else { return try await send() }
        clock.advance(by: WriteIntent.lifetime)
        try? await other.fixture.change(ada, next)
        isDead.end()
        return try await send()
      }
      await #expect(throws: StoreError.unavailable) {
        try await stopped.fixture.change(ada, put("ya29.late"))
      }
      let late = try await other.secretText(of: ada)
      #expect(late?.contains("ya29.late") == true)
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample(access: "ya29.next"))
      try await other.fixture.change(ada, VaultChange(connection: .put(.sample())))
      #expect(try await other.secretText(of: ada)?.contains("ya29.next") == true)
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample(access: "ya29.next"))
    }

    @Test("a first connect that wakes after its user was removed brings nothing back")
    func lateForNobody() async throws {
      let (http, stopped, other) = try await world(connected: false)
      let (ada, clock) = (ada, other.clock)
      http.intercept { (name, send) async throws(HTTPClientError) in
        if name == "CreateSecret" {
          clock.advance(by: WriteIntent.lifetime)
          try? await other.fixture.change(ada, VaultChange(secret: .remove, connection: .forget))
          _ = try? await other.stores.users.remove(ada)
        }
        return try await send()
      }
      await #expect(throws: StoreError.noSuchUser) { try await stopped.fixture.change(ada, put("ya29.late")) }
      #expect(try await other.stores.users.user(ada) == nil)
      #expect(try await other.secretText(of: ada) == nil)
    }

    @Test("a reconnect that wakes after its user was removed brings nothing back")
    func lateReconnectForNobody() async throws {
      let (http, stopped, other) = try await world()
      let (ada, clock) = (ada, other.clock)
      http.intercept { (name, send) async throws(HTTPClientError) in
        if name == "PutSecretValue" {
          clock.advance(by: WriteIntent.lifetime)
          try? await other.fixture.change(
            ada, VaultChange(secret: .remove, connection: .forget, discardsAsides: true))
          _ = try? await other.stores.users.remove(ada)
        }
        return try await send()
      }
      await #expect(throws: StoreError.noSuchUser) { try await stopped.fixture.change(ada, put("ya29.late")) }
      #expect(try await other.secretText(of: ada) == nil)
    }

    @Test("a lease that another took since the read is seen by the decision")
    func lostLease() async throws {
      let (_, _, other) = try await world()
      let process = try other.process()
      let first = try #require(
        try await process.fixture.lease(ada, "a", now: noon, until: noon + .seconds(60)))
      _ = try await process.stores.vault.read(ada)
      let late = noon + .seconds(61)
      _ = try await other.fixture.lease(ada, "b", now: late, until: late + .seconds(60))
      let seen = try await process.stores.vault.update(ada) { stored in
        (VaultChange(connection: .put(.sample())), stored.lease?.fence)
      }
      #expect(first.fence == 1 && seen == 2)
    }

    @Test(
      "a secret that the older backend makes while a device connects is decided upon, not overwritten unseen")
    func overtakenByOlderBackend() async throws {
      let (http, process, other) = try await world(connected: false)
      let ada = ada
      let isFirst = Counter()
      http.intercept { (name, send) async throws(HTTPClientError) in
        if name == "CreateSecret", isFirst.next() == 0 {
          try? await other.putSecret(#"{"access_token":"ya29.old","google_email":"old@gmail.com"}"#, of: ada)
        }
        return try await send()
      }
      let seen = try await process.stores.vault.update(ada) { stored in
        (
          VaultChange(secret: .put(.sample()), connection: .put(.sample())),
          stored.secret.tokens?.account.email
        )
      }
      #expect(seen == "old@gmail.com")
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample())
    }
  }
}

extension OAuthTokens {
  fileprivate func longer(_ suffix: String) -> OAuthTokens {
    var tokens = self
    tokens.accessToken = GoogleAccessToken(Secret(accessToken.secret.expose() + suffix))
    return tokens
  }
}

extension VaultChange {
  /// Those tokens, with `suffix` at their access token.
  fileprivate static func put(_ tokens: OAuthTokens, _ suffix: String) -> VaultChange {
    VaultChange(secret: .put(tokens.longer(suffix)))
  }
}
