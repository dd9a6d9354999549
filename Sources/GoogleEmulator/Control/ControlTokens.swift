import HTTP
import Primitives

/// `POST /_emulator/tokens`: mints a pair without a sign-in. The client need not exist, so that a token of
/// somebody else's app can be made; only its refresh needs the client.
struct ControlTokens: Sendable {
  let core: EmulatorCore

  @Sendable func mint(_ request: HTTPRequest) throws(ControlError) -> JSONValue {
    let body = try ControlBody(request)
    let clientID = try body.required("client_id")
    let scopes = ScopeList(try body.text("scope") ?? "")
    guard !scopes.isEmpty else { throw ControlError("`scope` is missing.") }
    let strange = scopes.unknown.filter { !ScopeCatalogue.isGoogles($0) }
    guard strange.isEmpty else {
      throw ControlError("`scope` names what is no scope of Google's: \(strange.joined(separator: " ")).")
    }
    let access = try fixed("access_token", limit: 2048, body)
    let refresh = try fixed("refresh_token", limit: 512, body)
    let (tokens, account, now) = try core.withState {
      (state, now) throws(ControlError) -> (IssuedTokens, Account, Timestamp) in
      let account = try body.account(state)
      let tokens = TokenIssuer(random: core.random, settings: state.settings, now: now).mint(
        sub: account.sub, clientID: clientID, scopes: scopes, accessToken: access, refreshToken: refresh,
        in: &state.ledger)
      return (tokens, account, now)
    }
    return TokenReply(core: core, base: BaseURL.of(request)).body(tokens, account, at: now)
  }

  /// A token of the caller's own, within Google's size limits.
  private func fixed(_ name: String, limit: Int, _ body: ControlBody) throws(ControlError) -> Secret? {
    guard let text = try body.text(name) else { return nil }
    guard !text.isEmpty, text.utf8.count <= limit, text.isVisibleASCII else {
      throw ControlError("`\(name)` must have 1 to \(limit) visible ASCII characters.")
    }
    return Secret(text)
  }
}
