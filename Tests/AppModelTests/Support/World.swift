import API
import Curl
import Domain
import FoundationEssentials
import GoogleEmulator
import HTTP
import HTTPServer
import Primitives
import Synchronization
import TestSupport
import Testing

/// How the parts of a test reach each other.
enum Transport: String, CaseIterable, CustomTestStringConvertible, Sendable {
  /// Calls, without a socket.
  case inProcess
  /// HTTP over loopback sockets.
  case sockets
  var testDescription: String { rawValue }
}

/// Google's emulator, the server, a clock and a device's network, for the length of one test.
struct World: Sendable {
  static let clientID = "111-app.apps.googleusercontent.com"
  static let accounts = ["ada@example.org", "grace@example.org"]

  let clock: TestClock
  let network: DeviceNetwork
  let backend: Backend
  let google: String
  let server: String
  let seen: SeenByGoogle
  let directory: String
  private let direct: any HTTPClient
  /// Making keys takes longer than all the rest of a test.
  private static let keys = Result { try SigningKeys() }

  /// Runs `body` in a world of its own, and takes it down after. `isOld` puts an older server there.
  static func with(
    _ transport: Transport, isOld: Bool = false, _ body: @escaping @Sendable (World) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "paypulse-\(RandomSource.system.uuid())")
    defer { try? FileManager.default.removeItem(at: directory) }
    let clock = TestClock()
    let emulator = SeenByGoogle(
      Emulator(
        configuration: EmulatorConfiguration(
          clients: [OAuthClient(id: clientID)], accounts: accounts.map { Account(email: $0, name: $0) },
          autoConsent: accounts[0]), keys: try keys.get(), time: clock.source))
    let make = { (google: String, client: any HTTPClient) in
      let backend = Backend(clientID: clientID, google: google, client: client, time: clock.source)
      return (backend, isOld ? OlderServer(server: backend.responder) : backend.responder as any Responder)
    }
    let run = { (google: String, server: String, backend: Backend, client: any HTTPClient) in
      try await body(
        World(
          clock: clock, network: DeviceNetwork(client), backend: backend, google: google, server: server,
          seen: emulator, directory: directory.path, direct: client))
      await backend.revoker.drain()
      await backend.tokens.drain()
    }
    switch transport {
    case .inProcess:
      let (google, server) = ("http://google.test", "http://localhost")
      let (backend, responder) = make(google, InProcessNetwork([google: emulator]))
      try await run(google, server, backend, InProcessNetwork([google: emulator, server: responder]))
    case .sockets:
      let client = CurlHTTPClient()
      try await serving(emulator) { google in
        let (backend, responder) = make(google, client)
        try await serving(responder) { server in try await run(google, server, backend, client) }
      }
      await client.shutdown()
    }
  }

  private static func serving(_ responder: any Responder, _ body: (String) async throws -> Void) async throws
  {
    let server = try HTTPServer(
      configuration: HTTPServerConfiguration(host: "127.0.0.1", port: 0, loops: 1), responder: responder,
      log: .silent, failure: ErrorResponse.transport)
    let running = Task { await server.run() }
    let result: Result<Void, any Error>
    do { result = .success(try await body("http://127.0.0.1:\(server.address.port)")) } catch {
      result = .failure(error)
    }
    server.shutdown()
    await running.value
    try result.get()
  }
}

extension World {
  /// Does something to the emulator, past the device's network.
  func control(_ path: String, _ body: JSONValue) async throws {
    let response = try await direct.send(
      HTTPClientRequest(method: .post, url: google + "/_emulator" + path, body: body.serialized))
    guard response.status / 100 == 2 else { throw Surprise("control \(path) answered \(response.status)") }
  }

  /// Who consents from now on.
  func signInAtGoogle(as email: String) async throws {
    try await control("/settings", ["auto_consent": .string(email)])
  }

  /// Which boxes of the consent page are left unticked from now on.
  func untick(_ scopes: [String]) async throws {
    try await control("/settings", ["untick_scopes": .array(scopes.map { .string($0) })])
  }

  /// The next `times` calls of `endpoint` fail; 0 ends that.
  func fault(_ endpoint: String, status: Int64, body: String = "", times: Int64) async throws {
    try await control(
      "/faults",
      [
        "endpoint": .string(endpoint), "status": .integer(status), "body": .string(body),
        "times": .integer(times),
      ])
  }

  /// How often an endpoint of the emulator was called, by the device or the server.
  func calls(of endpoint: String) async throws -> Int64 {
    let response = try await direct.send(HTTPClientRequest(method: .get, url: google + "/_emulator/requests"))
    return try JSONDecoder().decode(JSONValue.self, from: Data(response.body))[endpoint]?.integer ?? -1
  }
}

/// The emulator, and everything that it is sent.
final class SeenByGoogle: Responder {
  private let emulator: Emulator
  private let requests = Mutex<[HTTPRequest]>([])

  init(_ emulator: Emulator) { self.emulator = emulator }

  /// The forms that the token endpoint was sent.
  var tokenForms: [[(name: String, value: String)]] {
    requests.withLock { $0 }.filter { $0.path == "/token" }.map {
      FormCoding.decode(String(decoding: $0.body, as: UTF8.self)) ?? []
    }
  }

  /// Everything as one text: addresses, fields and bodies.
  var everything: String {
    requests.withLock { $0 }.map { request in
      let fields = request.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
      return "\(request.path)?\(request.query ?? "")\n\(fields)\n"
        + String(decoding: request.body, as: UTF8.self)
    }.joined(separator: "\n\n")
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    requests.withLock { $0.append(request) }
    return await emulator.respond(to: request)
  }
}

/// Something that a test did not expect.
struct Surprise: Error {
  let what: String
  init(_ what: String) { self.what = what }
}
