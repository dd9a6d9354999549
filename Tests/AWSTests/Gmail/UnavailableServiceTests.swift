import Domain
import HTTP
import Primitives
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  /// Services that do not answer, or not as they should.
  @Suite("Services that fail")
  struct UnavailableServiceTests {
    private let ada = UserID("user_ada")

    private func world(_ placement: AWSStores.TokenPlacement = .secretsManager) async throws
      -> (WatchedHTTP, StoresOnMoto, StoresOnMoto, CapturedLog)
    {
      let other = try await StoresOnMoto(placement)
      _ = try await other.fixture.add("ada")
      try await other.fixture.connect(ada)
      let (http, log) = (WatchedHTTP(), CapturedLog(clock: other.clock))
      return (http, try other.process(http: http, log: log.log), other, log)
    }

    private func refuse(
      _ http: WatchedHTTP, _ actions: Set<String>, _ code: String, message: String = "", status: Int = 400
    ) {
      let body = JSONValue.object(["__type": .string(code), "message": .string(message)]).serialized
      http.intercept { (name, send) async throws(HTTPClientError) in
        guard actions.contains(name) else { return try await send() }
        return HTTPResponse(status: status, body: body)
      }
    }

    private let change = VaultChange(
      secret: .put(.sample(access: "ya29.next")), connection: .put(.sample(status: .blocked)))

    @Test(
      "a throttled table: no answer, and nothing is changed",
      arguments: [AWSStores.TokenPlacement.secretsManager, .dynamoDB],
      ["BatchGetItem", "TransactWriteItems"])
    func throttledTable(_ placement: AWSStores.TokenPlacement, _ action: String) async throws {
      let (http, process, other, _) = try await world(placement)
      refuse(http, [action], "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException")
      await #expect(throws: StoreError.unavailable) { try await process.fixture.change(ada, change) }
      let snapshot = try await other.stores.vault.read(ada)
      #expect(snapshot.secret.tokens == .sample() && snapshot.connection == .sample())
      try await other.fixture.change(ada, change)
    }

    @Test("Secrets Manager cannot be read: no answer, no first connection, nothing overwritten")
    func unreadable() async throws {
      let (http, process, other, _) = try await world()
      refuse(http, ["GetSecretValue"], "InternalServiceError", status: 500)
      await #expect(throws: StoreError.unavailable) { try await process.stores.vault.read(ada) }
      await #expect(throws: StoreError.unavailable) { try await process.stores.users.profile(of: ada) }
      await #expect(throws: StoreError.unavailable) { try await process.fixture.change(ada, change) }
      await #expect(throws: StoreError.unavailable) { try await process.stores.users.remove(ada) }
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample())
    }

    @Test("Secrets Manager refuses a write: what stood stands, and nobody has to wait")
    func unwritable() async throws {
      let (http, process, other, _) = try await world()
      refuse(http, ["PutSecretValue"], "ThrottlingException")
      await #expect(throws: StoreError.unavailable) { try await process.fixture.change(ada, change) }
      let before = other.clock.now
      let snapshot = try await other.stores.vault.read(ada)
      #expect(snapshot.secret.tokens == .sample() && snapshot.connection == .sample())
      try await other.fixture.change(ada, change)
      #expect(other.clock.now == before)
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample(access: "ya29.next"))
    }

    @Test("transactions that are refused because others are under way are tried until they are done")
    func conflicts() async throws {
      let (http, process, other, _) = try await world()
      let tries = Counter()
      let body = JSONValue.object([
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "CancellationReasons": [["Code": "TransactionConflict"], ["Code": "None"]],
      ]).serialized
      http.intercept { (name, send) async throws(HTTPClientError) in
        guard name == "TransactWriteItems", tries.next() < 9 else { return try await send() }
        return HTTPResponse(status: 400, body: body)
      }
      try await process.fixture.change(ada, change)
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample(access: "ya29.next"))
    }

    @Test("a write whose answer is lost is found to be done")
    func lostAnswer() async throws {
      let (http, process, other, _) = try await world()
      let isFirst = Counter()
      http.intercept { (name, send) async throws(HTTPClientError) in
        let response = try await send()
        if ["TransactWriteItems", "PutSecretValue"].contains(name), isFirst.next() < 1 {
          throw .connectionLost
        }
        return response
      }
      try await process.fixture.change(ada, change)
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample(access: "ya29.next"))
    }

    @Test("a name that is refused for seconds after a forced deletion is tried again")
    func nameRefused() async throws {
      let (http, process, other, _) = try await world()
      try await other.fixture.change(ada, VaultChange(secret: .remove))
      let tries = Counter()
      let body = JSONValue.object([
        "__type": "InvalidRequestException",
        "message":
          "You can't create this secret because a secret with this name is already scheduled for deletion.",
      ]).serialized
      http.intercept { (name, send) async throws(HTTPClientError) in
        guard ["CreateSecret", "RestoreSecret"].contains(name), tries.next() < 4 else {
          return try await send()
        }
        return HTTPResponse(status: 400, body: body)
      }
      try await process.fixture.change(ada, change)
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample(access: "ya29.next"))
    }

    @Test("a key that is switched off: no answer, and a value that cannot be opened for the moment stays")
    func keyOff() async throws {
      let (http, process, other, _) = try await world(.dynamoDB)
      refuse(http, ["Decrypt"], "DisabledException")
      await #expect(throws: StoreError.unavailable) { try await process.stores.vault.read(ada) }
      await #expect(throws: StoreError.unavailable) { try await process.fixture.change(ada, change) }
      #expect(try await other.stores.vault.read(ada).secret.tokens == .sample())
    }

    @Test("a sealed value that was moved to another user's item, or an older one put back, does not open")
    func moved() async throws {
      let (_, _, other, _) = try await world(.dynamoDB)
      let bob = try await other.fixture.add("bob")
      try await other.fixture.connect(bob, tokens: .sample(access: "ya29.bob"))
      let table = other.tables.own
      let old = try #require(try await other.dynamoDB.getItem(table, key: ItemKey.value("SECRET", of: bob)))
      var moved = old
      for (name, value) in ItemKey.value("SECRET", of: ada).attributes { moved[name] = value }
      moved["Version"] = try await other.recordItem(of: ada)?["Version"]
      try await other.dynamoDB.putItem(table, moved)
      #expect(try await other.stores.vault.read(ada).secret.isUnusable)
      try await other.fixture.connect(bob, tokens: .sample(access: "ya29.new"))
      try await other.dynamoDB.putItem(table, old)
      #expect(try await other.stores.vault.read(bob).secret.isUnusable)
    }

    @Test("what is logged of a failure names the work and the reason, and no token")
    func logged() async throws {
      let (http, process, _, log) = try await world()
      refuse(http, ["PutSecretValue"], "ValidationException", message: "the value ya29.next is wrong")
      await #expect(throws: StoreError.unavailable) { try await process.fixture.change(ada, change) }
      refuse(http, ["BatchGetItem"], "AccessDeniedException", message: "arn:aws:iam::1:role/x")
      await #expect(throws: StoreError.unavailable) { try await process.stores.vault.read(ada) }
      #expect(log.lines.contains { $0.contains("store_unavailable") && $0.contains("ValidationException") })
      #expect(log.alerts.count == 1)
      #expect(!log.lines.contains { $0.contains("ya29") || $0.contains("1//") || $0.contains("arn:") })
    }
  }
}
