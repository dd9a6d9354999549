import HTTP
import Primitives

/// One question to Google, with what its answer is checked against. Kept on the device before the browser opens.
public struct AuthorizationAttempt: Sendable, Hashable {
  /// The client that asks.
  public let clientID: String
  /// Whom it asks.
  public let endpoints: GoogleEndpoints
  /// Where the answer is to go.
  public let redirectURI: String
  /// What the answer must repeat (RFC 6749 section 10.12).
  public let state: Secret
  /// What the ID token must repeat (OpenID Connect Core section 3.1.2.1).
  public let nonce: Secret
  /// What redeems the code.
  public let verifier: Secret
  /// When it was begun.
  public let startedAt: Timestamp

  /// An attempt of these parts.
  public init(
    clientID: String, endpoints: GoogleEndpoints, redirectURI: String, state: Secret, nonce: Secret,
    verifier: Secret, startedAt: Timestamp
  ) {
    self.clientID = clientID
    self.endpoints = endpoints
    self.redirectURI = redirectURI
    self.state = state
    self.nonce = nonce
    self.verifier = verifier
    self.startedAt = startedAt
  }

  /// The parameters of an authorization response that is ours.
  ///
  /// - Parameter redirect: the whole address that the browser was sent to.
  /// - Returns: the code.
  /// - Throws: what Google answered instead, or ``AuthorizationError/notOurs(_:)``.
  public func code(in redirect: String) throws(AuthorizationError) -> Secret {
    guard isAnswer(redirect), let parameters = Self.parameters(of: redirect) else { throw .notOurs(.state) }
    guard parameters["state"] == state.expose() else { throw .notOurs(.state) }
    if let issuer = parameters["iss"], !endpoints.accepts(issuer: issuer) { throw .notOurs(.issuer) }
    if let error = parameters["error"] { throw AuthorizationError(oauthError: error, atTokenEndpoint: false) }
    guard let code = parameters["code"], !code.isEmpty else { throw .invalidReply }
    return Secret(code)
  }

  /// Whether `address` is this attempt's redirect address with something behind it. Schemes and hosts compare
  /// without regard to case; browsers write both in lower case.
  public func isAnswer(_ address: String) -> Bool {
    let head = address.prefix { $0 != "?" && $0 != "#" }
    return Self.withoutSlash(head) == Self.withoutSlash(redirectURI[...])
  }

  private static func withoutSlash(_ address: Substring) -> String {
    address.hasSuffix("/") ? address.dropLast().lowercased() : address.lowercased()
  }

  /// The query's parameters; nil when it is broken or names one twice (RFC 6749 section 3.1 forbids that).
  private static func parameters(of address: String) -> [String: String]? {
    guard let question = address.firstIndex(of: "?") else { return nil }
    let query = address[address.index(after: question)...].prefix { $0 != "#" }
    guard let pairs = FormCoding.decode(query) else { return nil }
    var parameters: [String: String] = [:]
    for (name, value) in pairs where parameters.updateValue(value, forKey: name) != nil { return nil }
    return parameters
  }
}

extension AuthorizationAttempt {
  /// The attempt for a file or the Keychain.
  var stored: JSONValue {
    var members: [String: JSONValue] = [
      "client_id": .string(clientID), "redirect_uri": .string(redirectURI), "state": .string(state.expose()),
      "nonce": .string(nonce.expose()), "code_verifier": .string(verifier.expose()),
      "started_at": .integer(startedAt.seconds),
    ]
    members["google_base_url"] = endpoints.baseURL.map { .string($0) }
    return .object(members)
  }

  /// What ``stored`` gave; nil when it is something else.
  init?(stored: JSONValue) {
    guard let clientID = stored["client_id"]?.string, let redirectURI = stored["redirect_uri"]?.string,
      let state = stored["state"]?.string, let nonce = stored["nonce"]?.string,
      let verifier = stored["code_verifier"]?.string, let startedAt = stored["started_at"]?.integer
    else { return nil }
    self.init(
      clientID: clientID, endpoints: GoogleEndpoints(baseURL: stored["google_base_url"]?.string),
      redirectURI: redirectURI, state: Secret(state), nonce: Secret(nonce), verifier: Secret(verifier),
      startedAt: Timestamp(seconds: startedAt))
  }
}
