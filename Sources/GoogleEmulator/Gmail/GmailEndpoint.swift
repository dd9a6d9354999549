import HTTP
import Primitives

/// The Gmail API's way in: token, mailbox, scope and quota are checked alike for every method.
struct GmailEndpoint: Sendable {
  /// What a method makes of a call under the lock; the reply itself is written after.
  typealias Action =
    @Sendable (GmailCall, inout EmulatorState) throws(GoogleAPIError) -> @Sendable () -> JSONValue

  let core: EmulatorCore

  var routes: [Router.Route] {
    let messages = GmailMessages(core: core)
    return [
      route(.getProfile, GmailMailbox.profile), route(.listMessages, messages.list),
      route(.getMessage, messages.get), route(.getAttachment, messages.attachment),
      route(.listHistory, GmailHistory.list), route(.listLabels, GmailMailbox.labels),
      route(.getLabel, GmailMailbox.label),
    ]
  }

  private func route(_ method: GmailMethod, _ action: @escaping Action) -> Router.Route {
    Router.Route(.get, "/" + method.path) { request, path in
      do throws(GoogleAPIError) {
        let write = try core.withState { (state, now) throws(GoogleAPIError) in
          let call = try admit(request, path, method, &state, now)
          return try action(call, &state)
        }
        var response = HTTPResponse.google(
          200, FieldMask.apply(Parameters(query: request)["fields"], to: write()))
        response.fields["Cache-Control"] = "private"
        return response
      } catch {
        return error.response
      }
    }
  }

  private func admit(
    _ request: HTTPRequest, _ path: [String: String], _ method: GmailMethod, _ state: inout EmulatorState,
    _ now: Timestamp
  ) throws(GoogleAPIError) -> GmailCall {
    let query = Parameters(query: request)
    guard let name = Credentials.bearer(request) ?? query.nonEmpty("access_token").map({ Secret($0) }) else {
      throw .loginRequired
    }
    guard let token = state.ledger.accessTokens[name], token.isLive(at: now),
      let account = state.directory.find(sub: token.sub)
    else {
      throw .invalidCredentials
    }
    let user = path["userId"] ?? ""
    guard user == "me" || user.lowercased() == account.email.lowercased() else {
      throw .forbidden("Delegation denied for \(account.email)")
    }
    guard method.scopes.contains(where: token.scopes.contains) else {
      throw .insufficientScope(
        accepted: method.scopes, service: "gmail.googleapis.com",
        method: "caribou.api.proto.MailboxService.\(method.rpcName)")
    }
    if let limit = state.settings.quotaUnitsPerMinute,
      let retry = state.quota.take(method.units, sub: account.sub, limit: limit, at: now)
    {
      throw .quotaExceeded(until: retry, at: now)
    }
    return GmailCall(account: account, scopes: token.scopes, query: query, path: path, now: now)
  }
}

extension GoogleAPIError {
  /// More quota units than a minute allows.
  fileprivate static func quotaExceeded(until retry: Timestamp, at now: Timestamp) -> GoogleAPIError {
    let moment = retry.iso8601.dropLast() + ".000Z"
    return GoogleAPIError(
      code: 429, message: "User-rate limit exceeded.  Retry after \(moment)", reason: "rateLimitExceeded",
      status: "RESOURCE_EXHAUSTED", domain: "usageLimits",
      fields: [("Retry-After", String(max(1, retry.seconds - now.seconds)))])
  }
}
