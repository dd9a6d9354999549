import HTTP
import PayPulseKit
import Primitives

/// The SDK's Keychain item, which outlives the process and the app.
actor SDKKeychain {
  var user: GoogleSignInUser?
  func set(_ user: GoogleSignInUser?) { self.user = user }
}

/// Google's Sign-In SDK as its documentation and source describe it, over the emulator. One for each process.
actor EmulatedSDK: GoogleSignInSDK {
  enum Call: String, Sendable {
    case signIn, addScopes, restorePreviousSignIn, refreshTokensIfNeeded, signOut
  }

  private let keychain: SDKKeychain
  private let web: WebAuthorizer
  private let tokens: GoogleTokenClient
  private let endpoints: GoogleEndpoints
  private let time: TimeSource
  private var current: GoogleSignInUser?
  private var failures: [Call: GoogleSignInFailure] = [:]
  private var withholdsRefreshToken = false
  private(set) var calls: [Call] = []

  init(
    keychain: SDKKeychain, web: WebAuthorizer, tokens: GoogleTokenClient, endpoints: GoogleEndpoints,
    time: TimeSource
  ) {
    self.keychain = keychain
    self.web = web
    self.tokens = tokens
    self.endpoints = endpoints
    self.time = time
  }

  /// The next `call` fails so; nil lets it work again.
  func fail(_ call: Call, _ failure: GoogleSignInFailure?) { failures[call] = failure }
  func withholdRefreshToken() { withholdsRefreshToken = true }
  func forgetCalls() { calls = [] }

  func currentUser() -> GoogleSignInUser? { current }

  func signIn(hint: String?, additionalScopes: [String]) async throws(GoogleSignInFailure) -> GoogleSignInUser
  {
    try begin(.signIn)
    return try await ask(additionalScopes, hint: hint)
  }

  func addScopes(_ scopes: [String]) async throws(GoogleSignInFailure) -> GoogleSignInUser {
    try begin(.addScopes)
    guard let current else { throw .sdk(.hasNoAuthInKeychain, detail: "") }
    guard !Set(scopes).isSubset(of: current.grantedScopes ?? []) else {
      throw .sdk(.scopesAlreadyGranted, detail: "")
    }
    return try await ask(scopes, hint: current.email)
  }

  func restorePreviousSignIn() async throws(GoogleSignInFailure) -> GoogleSignInUser {
    try begin(.restorePreviousSignIn)
    guard let user = await keychain.user else { throw .sdk(.hasNoAuthInKeychain, detail: "") }
    current = user
    return user
  }

  func refreshTokensIfNeeded() async throws(GoogleSignInFailure) -> GoogleSignInUser {
    try begin(.refreshTokensIfNeeded)
    guard let current else { throw .sdk(.hasNoAuthInKeychain, detail: "") }
    if let end = current.accessTokenExpiresAt, end > time.now() + .seconds(60) { return current }
    let grant = current.grant(at: time.now(), endpoints)
    do throws(AuthorizationError) { return await keep(try await tokens.refresh(grant)) } catch {
      throw Self.failure(error, atTokenEndpoint: true)
    }
  }

  func signOut() async {
    calls.append(.signOut)
    current = nil
    await keychain.set(nil)
  }

  private func begin(_ call: Call) throws(GoogleSignInFailure) {
    calls.append(call)
    if let failure = failures[call] { throw failure }
  }

  private func ask(_ scopes: [String], hint: String?) async throws(GoogleSignInFailure) -> GoogleSignInUser {
    let consent = ConsentRequest(scopes: MailPermission.identity + scopes, loginHint: hint)
    do throws(AuthorizationError) { return await keep(try await web.authorize(consent) { _ in }) } catch {
      throw Self.failure(error, atTokenEndpoint: false)
    }
  }

  private func keep(_ grant: GoogleGrant) async -> GoogleSignInUser {
    let user = GoogleSignInUser(
      userID: grant.subject, email: grant.email, accessToken: grant.accessToken,
      accessTokenExpiresAt: grant.expiresAt,
      refreshToken: withholdsRefreshToken ? nil : grant.refreshToken, grantedScopes: grant.grantedScopes,
      clientID: grant.clientID)
    current = user
    await keychain.set(user)
    return user
  }

  /// A declined question is told as a closed page, whatever it was.
  private static func failure(_ error: AuthorizationError, atTokenEndpoint: Bool) -> GoogleSignInFailure {
    switch error {
    case .denied, .cancelled: .sdk(.canceled, detail: "")
    case .grantRefused: .oauth(error: "invalid_grant", atTokenEndpoint: true)
    case .network(let cause): .network(cause)
    default: .sdk(.unknown, detail: "")
    }
  }
}

extension GoogleSignInUser {
  fileprivate func grant(at now: Timestamp, _ endpoints: GoogleEndpoints) -> GoogleGrant {
    GoogleGrant(
      accessToken: accessToken, refreshToken: refreshToken, obtainedAt: now, expiresAt: now,
      grantedScopes: grantedScopes, email: email, subject: userID, clientID: clientID, endpoints: endpoints)
  }
}
