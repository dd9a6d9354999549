import Curl
import Domain
import HTTP
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import AWS

/// The stores of one process over an empty AWS of their own.
struct StoresOnMoto: Sendable {
  let moto: MotoWorld
  let clock: TestClock
  let tables = StoreTables()
  let kmsKey: String
  let placement: AWSStores.TokenPlacement
  let stores: AWSStores

  /// What the test itself asks AWS, past the stores.
  let dynamoDB: DynamoDB
  let secrets: SecretsManager

  /// A new world with its tables and key.
  init(_ placement: AWSStores.TokenPlacement, log: Log = .silent) async throws {
    let moto = try await MotoWorld.new()
    let client = try moto.client(policy: .quick)
    let dynamoDB = DynamoDB(client: client)
    for table in StoreTables().definitions { try await dynamoDB.createTable(table) }
    try self.init(
      moto: moto, clock: TestClock(at: StoreFixture.noon), kmsKey: try await client.makeKey(),
      placement: placement, http: MotoWorld.http, log: log)
  }

  private init(
    moto: MotoWorld, clock: TestClock, kmsKey: String, placement: AWSStores.TokenPlacement,
    http: any HTTPClient, log: Log
  ) throws {
    self.moto = moto
    self.clock = clock
    self.kmsKey = kmsKey
    self.placement = placement
    // The clock of the services is real, and so are the pauses of the client; what stores wait for comes at once.
    let client = try moto.client(http: http, policy: .quick)
    stores = AWSStores(
      client: client, tables: tables, kmsKey: kmsKey, tokens: placement, time: clock.passing, random: .system,
      log: log)
    dynamoDB = DynamoDB(client: try moto.client(policy: .quick))
    secrets = SecretsManager(client: try moto.client(policy: .quick))
  }

  /// One more process in the same world, whose requests go through `http`.
  func process(http: any HTTPClient = MotoWorld.http, log: Log = .silent) throws -> StoresOnMoto {
    try StoresOnMoto(
      moto: moto, clock: clock, kmsKey: kmsKey, placement: placement, http: http, log: log)
  }

  /// The adapters, for the contracts.
  var fixture: StoreFixture {
    StoreFixture(
      users: stores.users, vault: stores.vault, revocations: stores.revocations, ledger: stores.ledger,
      corruptSecret: { try await corruptSecret(of: $0) })
  }

  private func corruptSecret(of user: UserID) async throws {
    switch placement {
    case .secretsManager: try await putSecret("not JSON", of: user)
    case .dynamoDB:
      let key = ItemKey.value("SECRET", of: user)
      guard var item = try await dynamoDB.getItem(tables.own, key: key), var sealed = item["Sealed"]?.binary
      else { return }
      sealed[sealed.count - 1] ^= 1
      item["Sealed"] = .binary(sealed)
      try await dynamoDB.putItem(tables.own, item)
    }
  }

  // MARK: What others do

  /// Puts a value under the secret's name, as the older backend does; makes the secret where there is none.
  func putSecret(_ text: String, of user: UserID) async throws {
    let (name, version) = (SecretsManagerPlace.name(of: user), RandomSource.system.uuid())
    do throws(AWSError) { try await secrets.putSecretValue(name, Secret(text), version: version) } catch {
      guard error.failure?.isNotFound ?? false else { throw error }
      try await secrets.createSecret(name, Secret(text), version: version)
    }
  }

  /// The text under the secret's name; nil when there is none that could be read.
  func secretText(of user: UserID) async throws -> String? {
    do throws(AWSError) {
      return try await secrets.secretValue(SecretsManagerPlace.name(of: user)).text?.expose()
    } catch {
      guard let failure = error.failure, failure.isNotFound || failure.isScheduledForDeletion else {
        throw error
      }
      return nil
    }
  }

  /// The record's item.
  func recordItem(of user: UserID) async throws -> DynamoDBItem? {
    try await dynamoDB.getItem(tables.own, key: ItemKey.connection(of: user))
  }
}

extension RetryPolicy {
  /// Pauses that no test has to wait for, and patience with a server that many tests share.
  static var quick: RetryPolicy {
    var policy = RetryPolicy()
    policy.attemptTimeout = .seconds(60)
    policy.callTimeout = .seconds(60)
    policy.firstPause = .microseconds(100)
    policy.firstPauseWhenThrottled = .microseconds(100)
    policy.longestPause = .milliseconds(1)
    return policy
  }
}

extension TestClock {
  /// This clock, which whoever sleeps moves on.
  var passing: TimeSource {
    TimeSource(
      now: { self.now },
      sleep: { pause in
        self.advance(by: pause)
        await Task.yield()
        try Task.checkCancellation()
      })
  }
}

/// Counts the requests that go through it, by their action, and can have something happen at any of them.
final class WatchedHTTP: HTTPClient {
  /// What is done instead of, or around, a request: by default it is sent.
  typealias Interception =
    @Sendable (_ action: String, _ send: () async throws(HTTPClientError) -> HTTPResponse)
    async throws(HTTPClientError) -> HTTPResponse

  private struct State {
    var actions: [String] = []
    var interception: Interception?
  }
  private let state = Mutex(State())
  private let base: any HTTPClient = MotoWorld.http

  /// The actions since the last time this was asked for.
  func takeActions() -> [String] {
    state.withLock { state in
      defer { state.actions = [] }
      return state.actions
    }
  }

  /// Has `interception` deal with every request from now on; nil lets them pass.
  func intercept(_ interception: Interception?) { state.withLock { $0.interception = interception } }

  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    let target = request.fields["X-Amz-Target"] ?? ""
    let action = target.split(separator: ".").last.map(String.init) ?? ""
    let interception = state.withLock { state in
      state.actions.append(action)
      return state.interception
    }
    guard let interception else { return try await base.send(request) }
    return try await interception(action) { () async throws(HTTPClientError) in try await base.send(request) }
  }
}
