import HTTP
import Primitives

/// `POST /revoke`, and the legacy address that also takes GET: ends the whole grant behind a live token.
struct RevokeEndpoint: Sendable {
  let core: EmulatorCore

  func respond(to request: HTTPRequest) -> HTTPResponse {
    let sent = Parameters(query: request).appending(Parameters(form: request))
    guard let token = sent.nonEmpty("token") else { return OAuthError.missingParameter("token").response }
    let revoked = core.withState { state, now in state.ledger.revokeGrant(behind: Secret(token), at: now) }
    return revoked ? .google(200, [:]) : OAuthError.notRevocable.response
  }
}
