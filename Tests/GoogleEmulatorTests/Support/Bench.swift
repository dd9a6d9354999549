import Cryptography
import HTTP
import Primitives
import Synchronization

@testable import GoogleEmulator

/// An emulator on a test's own clock and chance, called without a socket.
struct Bench {
  static let ios = "111-app.apps.googleusercontent.com"
  static let otherIOS = "222-other.apps.googleusercontent.com"
  static let web = "333-web.apps.googleusercontent.com"
  static let desktop = "444-desktop.apps.googleusercontent.com"
  static let secret = "GOCSPX-x"
  static let iosRedirect = "com.googleusercontent.apps.111-app:/oauth2callback"
  static let alice = "alice@example.com"
  static let bob = "bob@example.com"
  static let readonly = "https://www.googleapis.com/auth/gmail.readonly"
  static let email = "https://www.googleapis.com/auth/userinfo.email"
  static let allScopes = "openid email profile \(readonly)"
  /// When every test begins.
  static let start = Timestamp(seconds: 1_790_000_000)

  let emulator: Emulator
  /// How long the emulator made callers wait, in order.
  let waits = Waits()

  init(autoConsent: String? = nil, accounts: [Account] = Bench.accounts) {
    let counter = Counter()
    let waits = waits
    emulator = Emulator(
      configuration: EmulatorConfiguration(
        clients: [
          OAuthClient(id: Self.ios), OAuthClient(id: Self.otherIOS),
          OAuthClient(id: Self.web, kind: .web, secret: Secret(Self.secret)),
          OAuthClient(id: Self.desktop, kind: .desktop),
        ], accounts: accounts, autoConsent: autoConsent),
      keys: TestKeys.pair, time: TimeSource(now: { Self.start }, sleep: { waits.add($0) }),
      random: RandomSource { counter.bytes($0) })
  }

  static let accounts = [
    Account(email: alice, name: "Alice Andersson"), Account(email: bob, hostedDomain: "example.com"),
  ]

  // MARK: - Calls

  func get(_ path: String, token: String? = nil) async -> Reply {
    await send(.get, path, fields: token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
  }

  func post(_ path: String, form: [String: String], fields: HTTPFields = [:]) async -> Reply {
    await post(
      path, body: FormCoding.encode(form.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }), fields)
  }

  func post(_ path: String, body: String, _ fields: HTTPFields = [:]) async -> Reply {
    var fields = fields
    fields["Content-Type"] = "application/x-www-form-urlencoded"
    return await send(.post, path, fields: fields, body: Array(body.utf8))
  }

  @discardableResult
  func control(_ path: String, _ body: JSONValue = [:], _ method: HTTPMethod = .post) async -> Reply {
    await send(method, "/_emulator/" + path, body: body.serialized)
  }

  func send(_ method: HTTPMethod, _ target: String, fields: HTTPFields = [:], body: [UInt8] = []) async
    -> Reply
  {
    let halves = target.split(separator: "?", maxSplits: 1)
    var fields = fields
    fields["Host"] = "127.0.0.1:4000"
    return Reply(
      response: await emulator.respond(
        to: HTTPRequest(
          method: method, path: String(halves[0]), query: halves.count > 1 ? String(halves[1]) : nil,
          fields: fields, body: body)))
  }

  // MARK: - Shortcuts

  /// A minted token reply.
  func mint(
    _ email: String = Bench.alice, client: String = Bench.ios, scope: String = Bench.allScopes
  ) async -> Reply {
    await control(
      "tokens", ["email": .string(email), "client_id": .string(client), "scope": .string(scope)])
  }

  func refresh(_ token: String, client: String = Bench.ios, _ more: [String: String] = [:]) async -> Reply {
    await post(
      "/token",
      form: ["grant_type": "refresh_token", "refresh_token": token, "client_id": client].merging(more) { $1 })
  }

  func advance(days: Int64 = 0, seconds: Int64 = 0) async {
    await control("clock", ["advance_seconds": .integer(days * 86_400 + seconds)])
  }

  /// The authorization endpoint's answer to the usual request with `changes`; nil removes a parameter.
  func authorize(_ changes: [String: String?] = [:]) async -> Reply {
    var parameters: [String: String?] = [
      "client_id": Self.ios, "redirect_uri": Self.iosRedirect, "response_type": "code",
      "scope": Self.allScopes,
      "state": "xyz",
    ]
    for (name, value) in changes { parameters[name] = value }
    let pairs = parameters.compactMap { name, value in value.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    return await get("/o/oauth2/v2/auth?" + FormCoding.encode(pairs))
  }

  func exchange(_ code: String, _ changes: [String: String] = [:]) async -> Reply {
    let form = [
      "grant_type": "authorization_code", "code": code, "client_id": Self.ios,
      "redirect_uri": Self.iosRedirect,
    ]
    return await post("/token", form: form.merging(changes) { $1 })
  }

  /// A message in a mailbox; its id.
  @discardableResult
  func deliver(_ text: String, to email: String = Bench.alice, _ more: [String: JSONValue] = [:]) async
    -> String
  {
    let body: [String: JSONValue] = ["email": .string(email), "raw": .string(text)]
    return await control("messages", .object(body.merging(more) { $1 })).text("id")
  }

  func gmail(_ path: String, token: String) async -> Reply {
    await get("/gmail/v1/users/me/" + path, token: token)
  }
}

/// An answer and quick ways into it.
struct Reply {
  let response: HTTPResponse

  var status: Int { response.status }
  var body: String { String(decoding: response.body, as: UTF8.self) }
  var json: JSONValue { JSONValue(parsing: response.body) ?? .null }
  func text(_ name: String) -> String { json[name]?.string ?? "" }
  var error: String { "\(status) \(text("error")) \(text("error_description"))" }
  var accessToken: String { text("access_token") }
  var refreshToken: String { text("refresh_token") }
  var scopes: Set<String> { Set(text("scope").split(separator: " ").map(String.init)) }

  /// The parameters of the redirect.
  var redirect: [String: String] {
    let location = response.fields["Location"] ?? ""
    let query = location.split(separator: "?", maxSplits: 1).last ?? ""
    return Dictionary((FormCoding.decode(query) ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// The hidden name of the page's form.
  var transaction: String {
    let mark = "name=\"transaction\" value=\""
    guard let start = body.firstRange(of: mark)?.upperBound else { return "" }
    return String(body[start...].prefix { $0 != "\"" })
  }
}

/// Keys that all tests share, since making them takes time.
enum TestKeys {
  static let pair: SigningKeys = {
    do { return try SigningKeys(time: TimeSource(now: { Bench.start }, sleep: { _ in })) } catch {
      fatalError("no keys: \(error)")
    }
  }()
}

/// Bytes that differ in every call and are the same in every run.
final class Counter: Sendable {
  private let calls = Mutex(0)

  func bytes(_ count: Int) -> [UInt8] {
    let call = calls.withLock { calls in
      calls += 1
      return calls
    }
    var output: [UInt8] = []
    while output.count < count { output += Digest.sha256(Array("\(call) \(output.count)".utf8)) }
    return Array(output.prefix(count))
  }
}

/// Collects the waits that a responder asked for.
final class Waits: Sendable {
  private let all = Mutex<[Duration]>([])
  func add(_ wait: Duration) { all.withLock { $0.append(wait) } }
  var inOrder: [Duration] { all.withLock { $0 } }
}
