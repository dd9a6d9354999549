import API
import Domain
import HTTP
import HTTPServer
import Primitives

/// Answers requests until SIGTERM, then finishes what runs.
struct Serve {
  let assembly: Assembly
  let terminal: Terminal
  let log: Log

  func callAsFunction() async throws -> Int32 {
    let options = assembly.options
    DescriptorLimit.raise()
    let signals = try Signals.stream()
    let server = try HTTPServer(
      configuration: HTTPServerConfiguration(host: options.host, port: options.port, tls: options.tls),
      responder: assembly.application.responder(), log: log, failure: ErrorResponse.transport)
    let scheme = options.tls == nil ? "http" : "https"
    let host = server.address.host.contains(":") ? "[\(server.address.host)]" : server.address.host
    terminal.print("listening on \(scheme)://\(host):\(server.address.port)")
    let sweep = Task { await assembly.backend.sweep.run() }
    let watch = Task { await obey(signals, server) }
    await server.run()
    watch.cancel()
    sweep.cancel()
    await sweep.value
    return 0
  }

  private func obey(_ signals: AsyncStream<Signal>, _ server: HTTPServer) async {
    for await signal in signals {
      switch signal {
      // Without TLS there is nothing to read again; a hang-up must not end the server either.
      case .hangUp where assembly.options.tls == nil: break
      case .hangUp:
        do throws(HTTPServerError) {
          try server.reloadTLS()
          log.info("tls_reloaded")
        } catch {
          log.alert("tls_not_reloaded", [("advice", .string("The old certificate stays in use. \(error)"))])
        }
      case .terminate, .interrupt: server.shutdown()
      }
    }
  }
}
