import Cryptography
import HTTP
import Primitives

/// Finds out which client a token request comes from, by the rules of its type.
struct ClientAuthentication: Sendable {
  let core: EmulatorCore

  /// The client, or Google's complaint.
  func client(of request: HTTPRequest, _ form: Parameters) throws(OAuthError) -> OAuthClient {
    let basic = Credentials.basic(request).flatMap { $0.password.isEmpty ? nil : $0 }
    if basic != nil {
      if form["client_secret"] != nil { throw .repeated("client_secret") }
      if let id = form["client_id"], id != basic?.name { throw .repeated("client_id") }
    }
    guard let id = form.nonEmpty("client_id") ?? basic?.name else { throw .noClient }
    guard let client = core.client(id) else { throw .clientNotFound }
    try check(form.nonEmpty("client_secret").map { Secret($0) } ?? basic?.password, of: client)
    return client
  }

  /// An empty secret counts as none. A secret that is not needed must still be right, except that a desktop
  /// client without one ignores what is sent.
  private func check(_ given: Secret?, of client: OAuthClient) throws(OAuthError) {
    guard let given else {
      if client.needsSecret { throw .secretMissing }
      return
    }
    if client.kind == .desktop, client.secret == nil { return }
    guard let secret = client.secret,
      ConstantTime.equals(Array(secret.expose().utf8), Array(given.expose().utf8))
    else { throw .wrongSecret }
  }
}
