import API
import Cryptography
import Curl
import Domain
import FoundationEssentials
import Glibc
import GoogleEmulator
import HTTP
import HTTPServer
import PayPulseKit
import Primitives
import SQLite
import TestSupport
import Testing
import paypulse_server

/// How the parts of a test reach each other.
enum Transport: String, CaseIterable, CustomTestStringConvertible, Sendable {
  /// Calls, without a socket.
  case inProcess
  /// HTTP over loopback sockets.
  case sockets
  var testDescription: String { rawValue }
}

/// The server, Google's emulator and a way to both, for the length of one test.
struct World: Sendable {
  static let clientID = "111-test.apps.googleusercontent.com"
  static let accounts = ["ada@example.org", "grace@example.org"]

  let client: any HTTPClient
  let google: String
  let server: String
  let assembly: Assembly
  let undelivered: String

  /// Google's keys, which all tests share, since making them takes a processor a second.
  private static let keys = Result { try SigningKeys() }

  /// Runs `body` in a world of its own, and takes it down after.
  static func with(_ transport: Transport, _ body: (World) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "paypulse-\(RandomSource.system.uuid())")
    defer { try? FileManager.default.removeItem(at: directory) }
    let emulator = Emulator(
      configuration: EmulatorConfiguration(
        clients: [OAuthClient(id: clientID, kind: .desktop, secret: nil)],
        accounts: accounts.map { Account(email: $0, name: $0) }, autoConsent: accounts[0]),
      keys: try keys.get())
    switch transport {
    case .inProcess: try await inProcess(emulator, directory.path, body)
    case .sockets: try await overSockets(emulator, directory.path, body)
    }
  }

  private static func inProcess(
    _ emulator: Emulator, _ directory: String, _ body: (World) async throws -> Void
  ) async throws {
    let (google, server) = ("http://google.test", "http://localhost")
    let toGoogle = InProcessNetwork([google: emulator])
    let assembly = try await assemble(in: directory, google: google, client: toGoogle)
    let network = InProcessNetwork([google: emulator, server: assembly.application.responder()])
    try await body(
      World(
        client: network, google: google, server: server, assembly: assembly,
        undelivered: directory + "/device"))
    await assembly.drain()
    await assembly.database.close()
  }

  private static func overSockets(
    _ emulator: Emulator, _ directory: String, _ body: (World) async throws -> Void
  ) async throws {
    let client = CurlHTTPClient()
    try await serving(emulator) { google in
      let assembly = try await assemble(in: directory, google: google, client: client)
      try await serving(assembly.application.responder()) { server in
        try await body(
          World(
            client: client, google: google, server: server, assembly: assembly,
            undelivered: directory + "/device"))
      }
      await assembly.drain()
      await assembly.database.close()
    }
    await client.shutdown()
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

  private static func assemble(in path: String, google: String, client: any HTTPClient) async throws
    -> Assembly
  {
    var options = ServerOptions()
    options.dataDirectory = path
    options.googleClientIDs = [clientID]
    options.googleBaseURL = google
    let directory = DataDirectory(path)
    return try await directory.open(options, environment: [:], random: .system, mayCreate: true) { keys in
      let database = try await OpenDatabase(path: directory.database, log: .silent)(keys: keys)
      return try Assembly(options: options, keys: keys, database: database, client: client, log: .silent)
    }
  }
}

extension World {
  /// Does something to the emulator.
  func control(_ path: String, _ body: JSONValue) async throws {
    let response = try await client.send(
      HTTPClientRequest(method: .post, url: google + "/_emulator" + path, body: body.serialized))
    guard response.status / 100 == 2 else { throw Surprise("control \(path) answered \(response.status)") }
  }

  /// How often an endpoint of the emulator was called.
  func calls(of endpoint: String) async throws -> Int64 {
    let response = try await client.send(HTTPClientRequest(method: .get, url: google + "/_emulator/requests"))
    return try Self.json(response)[endpoint]?.integer ?? -1
  }

  /// The body of a reply.
  static func json(_ response: HTTPResponse) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(response.body))
  }
}

/// Something that a test did not expect.
struct Surprise: Error {
  let what: String
  init(_ what: String) { self.what = what }
}
