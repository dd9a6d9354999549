import HTTP
import Primitives

/// `/o/oauth2/v2/auth` and the two forms behind it: an account is chosen, consent given, a code handed out.
struct AuthorizationEndpoint: Sendable {
  let core: EmulatorCore

  /// The endpoint itself.
  func begin(_ http: HTTPRequest) -> HTTPResponse {
    let parameters = http.method == .post ? Parameters(form: http) : Parameters(query: http)
    do {
      return begin(try AuthorizationRequest(parameters, core: core))
    } catch {
      return error.response
    }
  }

  private func begin(_ request: AuthorizationRequest) -> HTTPResponse {
    core.withState { state, now in
      let hinted = request.loginHint.flatMap { state.directory.find(hint: $0) }
      if let account = state.settings.autoConsent.flatMap({ state.directory.find(email: $0) }) {
        let ticked = request.scopes.filter { !state.settings.untickedScopes.contains($0) || isIdentity($0) }
        return finish(request, account, ticked, &state, now)
      }
      if request.prompts.contains("none") { return silent(request, hinted, &state, now) }
      if let hinted, !request.prompts.contains("select_account") {
        return consentPage(request, hinted, &state, now)
      }
      return chooser(request, complaint: nil, &state, now)
    }
  }

  /// The form of the account page.
  func chooseAccount(_ http: HTTPRequest) -> HTTPResponse {
    let form = Parameters(form: http)
    return core.withState { state, now in
      guard let pending = take(form, &state, now) else { return ConsentError.expired.response }
      if form["action"] == "cancel" { return denied(pending.request) }
      let wanted = form.nonEmpty("account") ?? form.nonEmpty("identifier") ?? ""
      guard let account = state.directory.find(hint: wanted.filter { $0 != " " }) else {
        return chooser(
          pending.request, complaint: "Couldn’t find that account. Check the address.", &state, now)
      }
      return consentPage(pending.request, account, &state, now)
    }
  }

  /// The form of the consent page.
  func consent(_ http: HTTPRequest) -> HTTPResponse {
    let form = Parameters(form: http)
    return core.withState { state, now in
      guard let pending = take(form, &state, now),
        let account = pending.sub.flatMap({ state.directory.find(sub: $0) })
      else { return ConsentError.expired.response }
      switch form["action"] {
      case "allow":
        let ticked = Set(form.all("scope"))
        let granted = pending.request.scopes.filter { isIdentity($0) || ticked.contains($0) }
        return finish(pending.request, account, granted, &state, now)
      case "switch": return chooser(pending.request, complaint: nil, &state, now)
      default: return denied(pending.request)
      }
    }
  }

  // MARK: - Steps

  private func isIdentity(_ scope: String) -> Bool { ScopeCatalogue.identity.contains(scope) }

  private func take(_ form: Parameters, _ state: inout EmulatorState, _ now: Timestamp)
    -> ConsentTransactions.Pending?
  {
    form.nonEmpty("transaction").flatMap { state.transactions.take(Secret($0), at: now) }
  }

  private func open(
    _ request: AuthorizationRequest, _ account: Account?, _ state: inout EmulatorState, _ now: Timestamp
  ) -> String {
    let name = core.random.token128()
    state.transactions.put(.init(request: request, sub: account?.sub, startedAt: now), name: Secret(name))
    return name
  }

  private func chooser(
    _ request: AuthorizationRequest, complaint: String?, _ state: inout EmulatorState, _ now: Timestamp
  ) -> HTTPResponse {
    let name = open(request, nil, &state, now)
    return .page(
      200,
      ConsentPage.accounts(
        state.directory.all, clientID: request.clientID, transaction: name, complaint: complaint))
  }

  private func consentPage(
    _ request: AuthorizationRequest, _ account: Account, _ state: inout EmulatorState, _ now: Timestamp
  ) -> HTTPResponse {
    let name = open(request, account, &state, now)
    let boxes = request.scopes.optional.map {
      (scope: $0, isTicked: !state.settings.untickedScopes.contains($0))
    }
    return .page(
      200, ConsentPage.consent(account, clientID: request.clientID, boxes: boxes, transaction: name))
  }

  /// `prompt=none`: no page may be shown, so either everything was allowed before or the app is told why not.
  private func silent(
    _ request: AuthorizationRequest, _ account: Account?, _ state: inout EmulatorState, _ now: Timestamp
  ) -> HTTPResponse {
    guard let account else { return redirect(request, [("error", "login_required")]) }
    guard state.ledger.grants[account.sub]?.scopes.covers(request.scopes) == true else {
      return redirect(request, [("error", "consent_required")])
    }
    return finish(request, account, request.scopes, &state, now)
  }

  private func finish(
    _ request: AuthorizationRequest, _ account: Account, _ granted: ScopeList, _ state: inout EmulatorState,
    _ now: Timestamp
  ) -> HTTPResponse {
    guard !granted.isEmpty else { return denied(request) }
    let wasGranted = state.ledger.grants[account.sub]?.scopes.covers(granted) == true
    let isAsked = request.prompts.contains("consent") || !wasGranted
    let wantsRefreshToken =
      request.isOffline
      && (core.client(request.clientID)?.kind != .web || isAsked
        || !state.ledger.holdsRefreshToken(sub: account.sub, clientID: request.clientID, at: now))
    let code = AuthorizationCode(
      clientID: request.clientID, redirectURI: request.redirect.text, sub: account.sub, scopes: granted,
      nonce: request.nonce, challenge: request.challenge, offline: wantsRefreshToken, issuedAt: now)
    let name = TokenIssuer(random: core.random, settings: state.settings, now: now).codeName()
    let scopes = state.ledger.grant(code, includingGranted: request.includesGranted, name: name)
    var parameters = [
      ("code", name.expose()), ("scope", scopes.replyText), ("authuser", "0"),
      ("prompt", isAsked ? "consent" : "none"),
    ]
    if let domain = account.hostedDomain { parameters.append(("hd", domain)) }
    return redirect(request, parameters)
  }

  private func denied(_ request: AuthorizationRequest) -> HTTPResponse {
    redirect(request, [("error", "access_denied")])
  }

  /// Back to the app, with `state` and, so that it can tell servers apart, `iss` (RFC 9207).
  private func redirect(_ request: AuthorizationRequest, _ parameters: [(String, String)]) -> HTTPResponse {
    let state = request.state.map { [("state", $0)] } ?? []
    let query = FormCoding.encode(state + [("iss", IDTokenFactory.issuer)] + parameters)
    return HTTPResponse(
      status: 302,
      fields: [
        "Location": request.redirect.adding(query), "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
      ])
  }
}
