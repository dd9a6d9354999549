import HTTP
import Primitives

/// Google, as far as a mail client meets it: sign-in, tokens, identity, Gmail, and the ways they fail.
///
/// Written from Google's documents, never from a client of this project, so that a shared misunderstanding
/// cannot hide. `/_emulator/...` arranges the world for a test.
package struct Emulator: Responder {
  private let gate: Gate
  private let router: Router

  /// An emulator in the state that `configuration` describes. `time` is the real clock, ahead of which the
  /// emulator's own can be moved.
  package init(
    configuration: EmulatorConfiguration, keys: SigningKeys, time: TimeSource = .system,
    random: RandomSource = .system
  ) {
    let core = EmulatorCore(
      clients: configuration.clients, keys: keys, initial: EmulatorState(configuration, at: time.now()),
      time: time,
      random: random)
    gate = Gate(core: core)
    let gmail = GmailEndpoint(core: core).routes
    let batch = BatchEndpoint(gate: gate, gmail: Router(gmail, miss: Self.miss))
    router = Router(
      OAuthRoutes(core: core).routes + gmail + batch.routes + DiscoveryRoutes.routes
        + ControlRoutes(core: core).routes, miss: Self.miss)
  }

  /// The answer to `request`. Status 0 asks the transport to reset the connection.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard let endpoint = Endpoint(path: request.path) else { return await router.respond(to: request) }
    return await gate.pass(endpoint) { await router.respond(to: request) }
  }

  @Sendable private static func miss(_ request: HTTPRequest, _ miss: Router.Miss) -> HTTPResponse {
    guard request.path.hasPrefix("/_emulator") else { return .notFoundPage }
    switch miss {
    case .notFound: return .control(404, ["error": "There is no such control endpoint."])
    case .methodNotAllowed(let allowed):
      var response = HTTPResponse.control(405, ["error": "This control endpoint does not take that method."])
      response.fields["Allow"] = allowed.map(\.rawValue).joined(separator: ", ")
      return response
    }
  }
}
