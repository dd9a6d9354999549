import Curl
import HTTP
import PayPulseKit
import Primitives

/// What every command works with.
struct CommandContext: Sendable {
  let invocation: Invocation
  let terminal: Terminal
  let directory: ConfigurationDirectory
  let environment: [String: String]
  let http: any HTTPClient

  var sessions: FileSessionStore { FileSessionStore(path: directory.session) }
  var undelivered: FileUndeliveredTokensStore { FileUndeliveredTokensStore(directory: directory.undelivered) }
  var google: GoogleTokenClient { GoogleTokenClient(http: http) }

  func api(_ server: ServerAddress) -> APIClient { APIClient(server: server, http: http) }

  func delivery(_ server: ServerAddress) -> TokenDelivery {
    TokenDelivery(api: api(server), google: google, store: undelivered)
  }

  func lifecycle(_ server: ServerAddress) -> SessionLifecycle {
    SessionLifecycle(api: api(server), sessions: sessions, undelivered: undelivered)
  }

  /// The kept session; nil when signed out.
  func keptSession() async throws(CommandFailure) -> Session? {
    do { return try await sessions.load() } catch { throw Explanation.failure(error) }
  }

  /// The session to use, which must be the named server's when one is named.
  func session() async throws(CommandFailure) -> Session {
    guard let session = try await keptSession() else {
      throw CommandFailure("You are not signed in. Sign in with: paypulse login")
    }
    if let named = try namedServer(), named != session.server {
      throw CommandFailure(
        "You are signed in at \(session.server), not at \(named). Sign in there with: paypulse --server \(named) login"
      )
    }
    return session
  }

  /// The server to sign in at: named, or the one used last.
  func server() async throws(CommandFailure) -> ServerAddress {
    if let named = try namedServer() { return named }
    if let session = try await keptSession() { return session.server }
    if let bytes = try? await PrivateFile(path: directory.lastServer).read(),
      let last = try? ServerAddress(String(decoding: bytes, as: UTF8.self), allowingPlainHTTP: true)
    {
      return last
    }
    throw CommandFailure("No server is known yet: give --server URL, or set PAYPULSE_SERVER.", status: .usage)
  }

  /// Keeps `server` for the next sign-in. Losing it costs a flag, so a failure is no error.
  func remember(_ server: ServerAddress) async {
    try? await PrivateFile(path: directory.lastServer).write(Array(server.description.utf8))
  }

  private func namedServer() throws(CommandFailure) -> ServerAddress? {
    guard let text = invocation.server ?? environment["PAYPULSE_SERVER"].flatMap({ $0.isEmpty ? nil : $0 })
    else { return nil }
    return try address(text, of: "server")
  }

  /// `text` as an address that passwords and tokens may be sent to.
  func address(_ text: String, of what: String) throws(CommandFailure) -> ServerAddress {
    do { return try ServerAddress(text, allowingPlainHTTP: invocation.allowsPlainHTTP) } catch {
      switch error {
      case .malformed:
        throw CommandFailure(
          "\"\(text)\" is no \(what) address; write it as https://HOST[:PORT]", status: .usage)
      case .insecure:
        throw CommandFailure(
          "\(text) would send secrets in the clear: use https://, or --allow-plain-http if you must.",
          status: .usage)
      }
    }
  }
}
