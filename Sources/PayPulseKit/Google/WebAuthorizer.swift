import HTTP
import Primitives

/// Google's OAuth for installed applications: a browser, PKCE, a redirect, and the code exchange from this device.
public struct WebAuthorizer: GoogleAuthorizing {
  private let clientID: String
  private let endpoints: GoogleEndpoints
  private let receiver: any RedirectReceiver
  private let tokens: GoogleTokenClient
  private let sha256: SHA256
  private let time: TimeSource
  private let random: RandomSource

  /// An authorizer for the public client `clientID`.
  ///
  /// - Parameters:
  ///   - clientID: of the iOS type, or of a desktop type that needs no secret.
  ///   - endpoints: whom to ask.
  ///   - receiver: opens the page and catches the redirect.
  ///   - tokens: redeems the code.
  ///   - sha256: for the PKCE challenge.
  ///   - time: the clock.
  ///   - random: for the verifier, `state` and `nonce`.
  public init(
    clientID: String, endpoints: GoogleEndpoints = GoogleEndpoints(), receiver: any RedirectReceiver,
    tokens: GoogleTokenClient, sha256: @escaping SHA256, time: TimeSource = .system,
    random: RandomSource = .system
  ) {
    self.clientID = clientID
    self.endpoints = endpoints
    self.receiver = receiver
    self.tokens = tokens
    self.sha256 = sha256
    self.time = time
    self.random = random
  }

  /// Opens Google's page, waits for the answer, checks it and redeems its code.
  public func authorize(
    _ consent: ConsentRequest,
    checkpoint: @escaping @Sendable (AuthorizationCheckpoint) async throws(StorageError) -> Void
  ) async throws(AuthorizationError) -> GoogleGrant {
    let opened = OpenedAttempt()
    let redirect = try await receiver.receive { redirectURI throws(AuthorizationError) in
      let page = self.page(for: consent, redirectURI: redirectURI)
      do throws(StorageError) { try await checkpoint(.opened(page.attempt)) } catch { throw .storage(error) }
      await opened.set(page.attempt)
      return page
    }
    guard let attempt = await opened.attempt else { throw .invalidReply }
    let code = try attempt.code(in: redirect)
    // A full disk is no reason to drop a code that is still in hand.
    try? await checkpoint(.returned(attempt, code: code, at: time.now()))
    return try await tokens.exchange(code, of: attempt)
  }

  /// The page that asks for `consent`. No `prompt`: forcing a consent at each sign-in would mint a refresh token each
  /// time, and Google drops the oldest beyond its limit. No `access_type`: installed applications always get one.
  func page(for consent: ConsentRequest, redirectURI: String) -> AuthorizationPage {
    let pkce = PKCE(random: random, sha256: sha256)
    let attempt = AuthorizationAttempt(
      clientID: clientID, endpoints: endpoints, redirectURI: redirectURI, state: Secret(random.token128()),
      nonce: Secret(random.token128()), verifier: pkce.verifier, startedAt: time.now())
    var query = [
      ("client_id", clientID), ("redirect_uri", redirectURI), ("response_type", "code"),
      ("scope", consent.scopes.joined(separator: " ")), ("state", attempt.state.expose()),
      ("nonce", attempt.nonce.expose()), ("code_challenge", pkce.challenge),
      ("code_challenge_method", "S256"),
    ]
    if let hint = consent.loginHint { query.append(("login_hint", hint)) }
    return AuthorizationPage(url: endpoints.authorization + "?" + FormCoding.encode(query), attempt: attempt)
  }
}

/// The attempt that the receiver's callback made.
private actor OpenedAttempt {
  var attempt: AuthorizationAttempt?
  func set(_ attempt: AuthorizationAttempt) { self.attempt = attempt }
}
