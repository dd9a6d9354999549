import HTTP
import Primitives

/// `/_emulator/...`: how a test arranges the world. JSON in, JSON out, 2xx when done, else 400 with a sentence.
struct ControlRoutes: Sendable {
  let core: EmulatorCore

  var routes: [Router.Route] {
    [
      route(.post, "accounts", ControlAccounts(core: core).add),
      route(.get, "accounts", ControlAccounts(core: core).list),
      route(.post, "messages", ControlMessages(core: core).deliver),
      route(.delete, "messages", ControlMessages(core: core).delete),
      route(.post, "faults", ControlFaults(core: core).plan),
      route(.post, "clock", advanceClock),
      route(.post, "grants/revoke", revokeGrants),
      route(.post, "settings", ControlSettings(core: core).change),
      route(.post, "tokens", ControlTokens(core: core).mint),
      route(.get, "requests", counts),
      route(.post, "reset", reset),
    ]
  }

  private func route(
    _ method: HTTPMethod, _ name: String,
    _ action: @escaping @Sendable (HTTPRequest) throws(ControlError) -> JSONValue
  ) -> Router.Route {
    Router.Route(method, "/_emulator/" + name) { request, _ in
      do throws(ControlError) {
        return .control(200, try action(request))
      } catch {
        return error.response
      }
    }
  }

  @Sendable private func advanceClock(_ request: HTTPRequest) throws(ControlError) -> JSONValue {
    guard let step = try ControlBody(request).seconds("advance_seconds") else {
      throw ControlError("`advance_seconds` is missing.")
    }
    let now = core.withState { state, now in
      state.advanced += step
      return now + step
    }
    return ["now": .string(now.iso8601), "now_seconds": .integer(now.seconds)]
  }

  @Sendable private func revokeGrants(_ request: HTTPRequest) throws(ControlError) -> JSONValue {
    let body = try ControlBody(request)
    try core.withState { (state, now) throws(ControlError) in
      state.ledger.revokeAll(sub: try body.account(state).sub, at: now)
    }
    return ["ok": true]
  }

  @Sendable private func counts(_: HTTPRequest) throws(ControlError) -> JSONValue {
    let counts = core.withState { state, _ in state.counts }
    return .object(
      Dictionary(uniqueKeysWithValues: Endpoint.allCases.map { ($0.rawValue, .integer(counts[$0] ?? 0)) }))
  }

  @Sendable private func reset(_: HTTPRequest) throws(ControlError) -> JSONValue {
    core.reset()
    return ["ok": true]
  }
}
