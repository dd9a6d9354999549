import Glibc
import HTTP
import Primitives
import Synchronization

@testable import HTTPServer

/// Answers as a closure says.
struct Answer: Responder {
  let body: @Sendable (HTTPRequest) async -> HTTPResponse

  init(_ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) { self.body = body }

  func respond(to request: HTTPRequest) async -> HTTPResponse { await body(request) }

  /// `METHOD PATH [BODY]`.
  static let echo = Answer { request in
    let body = String(decoding: request.body, as: UTF8.self)
    return HTTPResponse(
      status: 200, body: Array("\(request.method) \(request.path) [\(body)]".utf8), route: "/{all}")
  }
}

/// The lines of a log.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  /// Those so far.
  var all: [String] { lines.withLock { $0 } }

  /// A log that writes here.
  var log: Log {
    Log(clock: { Timestamp(microseconds: 0) }, emit: { line in self.lines.withLock { $0.append(line) } })
  }
}

extension HTTPServer {
  /// A server on the loopback that echoes, and logs nothing.
  static func echoing(host: String = "127.0.0.1", port: UInt16 = 0, tls: TLSFiles? = nil)
    throws(HTTPServerError) -> HTTPServer
  {
    let configuration = HTTPServerConfiguration(host: host, port: port, tls: tls)
    return try HTTPServer(configuration: configuration, responder: Answer.echo, log: .silent) { status, _ in
      HTTPResponse(status: status)
    }
  }
}

/// A server on a free port, stopped when `body` returns.
func withServer<Value: Sendable>(
  limits: HTTPServerLimits = HTTPServerLimits(), host: String = "127.0.0.1", tls: TLSFiles? = nil,
  loops: Int = 2,
  log: LogLines = LogLines(), responder: Answer = .echo, _ body: (HTTPServer) async throws -> Value
) async throws -> Value {
  let configuration = HTTPServerConfiguration(host: host, port: 0, limits: limits, tls: tls, loops: loops)
  let server = try HTTPServer(configuration: configuration, responder: responder, log: log.log) {
    status, id in
    HTTPResponse(status: status, body: Array("refused \(status) \(id)".utf8))
  }
  let run = Task { await server.run() }
  defer { server.shutdown() }
  let value = try await body(server)
  server.shutdown()
  await run.value
  return value
}

/// The name of a request without fields of note.
func get(_ path: String = "/", _ fields: String = "") -> String {
  "GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
}
