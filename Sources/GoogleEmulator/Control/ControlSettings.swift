import HTTP
import Primitives

/// `POST /_emulator/settings`: each member is optional and changes only itself.
struct ControlSettings: Sendable {
  let core: EmulatorCore

  @Sendable func change(_ request: HTTPRequest) throws(ControlError) -> JSONValue {
    let body = try ControlBody(request)
    let settings = try core.withState { (state, _) throws(ControlError) -> EmulatorSettings in
      let changed = try apply(body, to: state)
      if changed.isTesting, !state.settings.isTesting { state.ledger.enterTesting() }
      state.settings = changed
      return changed
    }
    return Self.json(settings)
  }

  private func apply(_ body: ControlBody, to state: EmulatorState) throws(ControlError) -> EmulatorSettings {
    var settings = state.settings
    if let seconds = try body.whole("access_token_lifetime_seconds", in: 0...86_400) {
      settings.accessTokenLifetime = seconds
    }
    if let flag = try body.flag("rotate_refresh_tokens") { settings.rotatesRefreshTokens = flag }
    if let scopes = try body.texts("untick_scopes") { settings.untickedScopes = ScopeList(scopes) }
    if let flag = try body.flag("testing_mode") { settings.isTesting = flag }
    if let milliseconds = try body.whole("latency_ms", in: 0...600_000) {
      settings.latencyMilliseconds = milliseconds
    }
    if let units = try body.whole("quota_units_per_minute", in: 0...1_000_000_000) {
      settings.quotaUnitsPerMinute = units == 0 ? nil : units
    }
    if let flag = try body.flag("swap_list_neighbours") { settings.swapsListNeighbours = flag }
    if let email = try body.text("auto_consent") {
      guard email.isEmpty || state.directory.find(email: email) != nil else {
        throw ControlError("There is no account \(email).")
      }
      settings.autoConsent = email.isEmpty ? nil : email
    }
    return settings
  }

  private static func json(_ settings: EmulatorSettings) -> JSONValue {
    [
      "access_token_lifetime_seconds": .integer(settings.accessTokenLifetime),
      "rotate_refresh_tokens": .bool(settings.rotatesRefreshTokens),
      "untick_scopes": .array(settings.untickedScopes.names.map { .string($0) }),
      "testing_mode": .bool(settings.isTesting),
      "latency_ms": .integer(settings.latencyMilliseconds),
      "quota_units_per_minute": .integer(settings.quotaUnitsPerMinute ?? 0),
      "swap_list_neighbours": .bool(settings.swapsListNeighbours),
      "auto_consent": .string(settings.autoConsent ?? ""),
    ]
  }
}
