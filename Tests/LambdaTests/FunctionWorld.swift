import API
import AWS
import Cryptography
import Domain
import HTTP
import Primitives
import TestSupport
import paypulse_lambda

/// A function over in-memory stores and a small Google, with the settings that a test gives it.
final class FunctionWorld: Sendable {
  static let client = GoogleClientID("ios.apps.googleusercontent.com")
  static let kim = UserID("user_kim")

  let clock = TestClock()
  let deadline = InvocationDeadline()
  let store: InMemoryStore
  let google: FakeGoogle
  let log: CapturedLog
  let function: Function
  let settings = FakeSettings(
    SecretSettings(jwtSecret: Secret("first key"), googleClientIDs: [client.rawValue]))
  let queue = FakeQueue()

  init(basePath: String = "") async throws {
    store = InMemoryStore(time: clock.source)
    google = FakeGoogle(clock: clock)
    log = CapturedLog(clock: clock)
    let (store, google, settings, queue) = (store, google, settings, queue)
    let parts = BackendParts(
      passwords: FakePasswords(), limitsRates: true, log: log.log, time: deadline.limiting(clock.source),
      random: CountingRandom().source)
    let live = try await LiveBackend(
      read: { () throws(LambdaFailure) in try settings.read() },
      build: { settings in Self.backend(settings, store: store, google: google, parts: parts) },
      time: clock.source, log: log.log)
    function = Function(
      live: live, basePath: basePath,
      enqueue: { tasks throws(LambdaFailure) in try queue.take(tasks) }, deadline: deadline,
      time: clock.source, log: log.log)
  }

  private static func backend(
    _ settings: SecretSettings, store: InMemoryStore, google: FakeGoogle, parts: BackendParts
  ) -> Backend {
    Backend(
      BackendSettings(jwtSecret: settings.jwtSecret, policy: .refreshesOnDemand),
      stores: Stores(
        users: InMemoryUserStore(store), vault: InMemoryTokenVault(store),
        revocations: InMemoryRevocationQueue(store), ledger: InMemoryRefreshLedger(store),
        isReady: { true }),
      google: GoogleAccess(
        oauth: google, mailbox: google,
        configuration: GoogleConfiguration(
          clientIDs: settings.googleClientIDs.map { GoogleClientID($0) }, baseURL: "https://google.test")),
      parts: parts)
  }

  // MARK: Events

  /// What the function answers to `event`, 60 s before the platform would end it.
  func invoke(_ event: JSONValue) async throws(LambdaFailure) -> JSONValue {
    deadline.begin(clock.now + .seconds(60))
    let result: Result<[UInt8], LambdaFailure>
    do throws(LambdaFailure) {
      result = .success(
        try await function.respond(
          to: LambdaInvocation(
            id: "invocation", deadline: clock.now + .seconds(60), event: event.serialized)))
    } catch {
      result = .failure(error)
    }
    deadline.end()
    return JSONValue(json: try result.get()) ?? .null
  }

  /// The reply to a request of the HTTP API's.
  func request(
    _ method: String, _ path: String, token: String? = nil, body: String? = nil
  ) async throws(LambdaFailure) -> (status: Int64?, body: JSONValue?) {
    var event: [String: JSONValue] = [
      "version": "2.0", "rawPath": .string(path), "rawQueryString": "",
      "requestContext": [
        "http": ["method": .string(method), "sourceIp": "192.0.2.1"], "requestId": "request",
        "stage": "$default",
      ], "isBase64Encoded": false,
    ]
    if let token { event["headers"] = ["authorization": .string("Bearer " + token)] }
    if let body { event["body"] = .string(body) }
    let reply = try await invoke(.object(event))
    return (reply["statusCode"]?.integer, JSONValue(json: Array((reply["body"]?.string ?? "").utf8)))
  }

  /// Messages of a queue, numbered from 0.
  func deliver(_ bodies: [String]) async throws(LambdaFailure) -> [String] {
    let records = bodies.enumerated().map { number, body in
      JSONValue.object(["messageId": .string("\(number)"), "eventSource": "aws:sqs", "body": .string(body)])
    }
    let reply = try await invoke(["Records": .array(records)])
    return (reply["batchItemFailures"]?.array ?? []).compactMap { $0["itemIdentifier"]?.string }
  }

  /// The daily schedule.
  static let schedule: JSONValue = ["source": "aws.events", "detail-type": "Scheduled Event", "detail": [:]]

  // MARK: People

  static func account(_ name: String) -> GoogleAccount {
    GoogleAccount(
      subject: GoogleSubject("sub-" + name), email: name + "@gmail.test", name: name, emailVerified: true)
  }

  /// A user with that name.
  func user(_ name: String = "kim") async throws -> UserID {
    let id = UserID("user_" + name)
    _ = try await InMemoryUserStore(store).add(
      User(
        id: id, email: name + "@home.test", name: name, passwordHash: Secret("hash of password"),
        createdAt: clock.now))
    return id
  }

  /// A session of theirs, signed with `key`.
  func session(_ user: UserID, key: String = "first key") -> String {
    SessionTokenSigner(secret: Secret(key)).issue(
      userID: user.rawValue, email: "x@home.test", issuedAt: clock.now, jwtID: "id"
    ).expose()
  }

  /// Connects an account of the same name, by the API.
  func connect(_ name: String = "kim") async throws -> UserID {
    let user = try await user(name)
    let tokens = google.consent(Self.account(name), clientID: Self.client, at: clock.now)
    let reply = try await request(
      "POST", "/v1/auth/gmail-tokens", token: session(user),
      body: JSONValue.object([
        "access_token": .string(tokens.access.secret.expose()),
        "refresh_token": .string(tokens.refresh.secret.expose()),
      ]).text)
    guard reply.status == 201 else { throw Surprise("\(reply)") }
    return user
  }

  func status(_ user: UserID) async throws -> ConnectionStatus? {
    try await InMemoryTokenVault(store).read(user).connection?.status(at: clock.now)
  }
}

extension JSONValue {
  /// The value as a text of JSON.
  var text: String { String(decoding: serialized, as: UTF8.self) }
}

/// Something that a test did not expect.
struct Surprise: Error {
  let what: String
  init(_ what: String) { self.what = what }
}
