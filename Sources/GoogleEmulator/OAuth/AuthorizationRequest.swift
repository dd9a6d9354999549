import HTTP
import Primitives

/// A well-formed request to the authorization endpoint (RFC 6749 section 4.1.1, RFC 7636 section 4.3).
struct AuthorizationRequest: Sendable {
  let clientID: String
  let redirect: RedirectURI
  let scopes: ScopeList
  let state: String?
  let nonce: String?
  let challenge: CodeChallenge?
  let loginHint: String?
  let prompts: Set<String>
  let includesGranted: Bool
  /// Whether a refresh token is wanted: installed apps always get one, a web client asks for it.
  let isOffline: Bool

  /// Reads `parameters`, or says why Google would show an error page instead of redirecting.
  init(_ parameters: Parameters, core: EmulatorCore) throws(ConsentError) {
    if let name = parameters.repeatedName {
      throw .invalidRequest("OAuth 2 parameters can only have a single value: \(name)")
    }
    guard let id = parameters.nonEmpty("client_id") else { throw .missing("client_id") }
    guard let client = core.client(id) else { throw .clientNotFound }
    clientID = id
    redirect = try Self.redirect(parameters, client)
    scopes = try Self.scopes(parameters)
    challenge = try Self.challenge(parameters)
    prompts = try Self.prompts(parameters)
    state = parameters["state"]
    nonce = parameters.nonEmpty("nonce")
    loginHint = parameters.nonEmpty("login_hint")
    includesGranted = parameters["include_granted_scopes"] == "true"
    isOffline = client.kind != .web || parameters["access_type"] == "offline"
  }

  private static func redirect(_ parameters: Parameters, _ client: OAuthClient) throws(ConsentError)
    -> RedirectURI
  {
    guard let text = parameters.nonEmpty("redirect_uri") else { throw .missing("redirect_uri") }
    guard let redirect = RedirectURI(text) else { throw .invalidRequest("Invalid redirect_uri: \(text)") }
    guard !text.hasPrefix("urn:ietf:wg:oauth:2.0:oob") else {
      throw .invalidRequest("The out-of-band (OOB) flow has been blocked in order to keep users secure.")
    }
    guard redirect.fits(client) else { throw .redirectMismatch(text) }
    return redirect
  }

  private static func scopes(_ parameters: Parameters) throws(ConsentError) -> ScopeList {
    guard let type = parameters.nonEmpty("response_type") else { throw .missing("response_type") }
    guard type == "code" else { throw .unsupportedResponseType(type) }
    let asked = ScopeList(parameters["scope"] ?? "")
    guard !asked.isEmpty else { throw .missing("scope") }
    guard asked.unknown.isEmpty else {
      throw .invalidScope(
        valid: asked.filter { ScopeCatalogue.meaning(of: $0) != nil }.names, invalid: asked.unknown)
    }
    return asked.withOpenID
  }

  private static func challenge(_ parameters: Parameters) throws(ConsentError) -> CodeChallenge? {
    let method = parameters.nonEmpty("code_challenge_method")
    guard let value = parameters.nonEmpty("code_challenge") else {
      if method != nil { throw .missing("code_challenge") }
      return nil
    }
    guard method.map({ CodeChallenge.Method(rawValue: $0) != nil }) ?? true else {
      throw .invalidRequest("Invalid parameter value for code_challenge_method: must be 'S256' or 'plain'")
    }
    guard let challenge = CodeChallenge(value: value, method: method) else { throw .badChallenge }
    return challenge
  }

  private static func prompts(_ parameters: Parameters) throws(ConsentError) -> Set<String> {
    let words = (parameters["prompt"] ?? "").split(separator: " ").map(String.init)
    guard words.allSatisfy({ ["none", "consent", "select_account"].contains($0) }),
      !words.contains("none") || words.count == 1
    else { throw .invalidRequest("Invalid parameter value for prompt: \(words.joined(separator: " "))") }
    return Set(words)
  }
}
