import Primitives

/// Obtains a grant from Google with the person's consent: ``WebAuthorizer`` by OAuth itself, or an adapter of
/// Google's own SDK.
///
/// An implementation never revokes an earlier grant: until a new one is stored, the server reads mail with that one.
public protocol GoogleAuthorizing: Sendable {
  /// Asks the person.
  ///
  /// - Parameters:
  ///   - consent: what to ask.
  ///   - checkpoint: keeps how far it came; called before the browser opens and when a code is at hand. An
  ///     implementation whose SDK exchanges the code itself does not call it.
  func authorize(
    _ consent: ConsentRequest,
    checkpoint: @escaping @Sendable (AuthorizationCheckpoint) async throws(StorageError) -> Void
  ) async throws(AuthorizationError) -> GoogleGrant

  /// Forgets on this device whoever signed in at Google: at sign-out, and at the first start after an installation.
  /// Revokes nothing.
  func forget() async
}

extension GoogleAuthorizing {
  /// Nothing: an implementation that keeps nobody signed in has nothing to forget.
  public func forget() async {}
}

/// What to ask Google for.
public struct ConsentRequest: Sendable, Hashable {
  /// The scopes.
  public var scopes: [String]
  /// The account to suggest, by address or `sub`; nil lets the person choose freely.
  public var loginHint: String?

  /// A question for `scopes`.
  public init(scopes: [String] = MailPermission.asked, loginHint: String? = nil) {
    self.scopes = scopes
    self.loginHint = loginHint
  }
}

/// How far an authorization came.
public enum AuthorizationCheckpoint: Sendable, Hashable {
  /// The browser is about to open.
  case opened(AuthorizationAttempt)
  /// A code came back at that time; it is good for one exchange within about ten minutes.
  case returned(AuthorizationAttempt, code: Secret, at: Timestamp)
}

/// Opens Google's page for the person and catches the redirect that ends it.
public protocol RedirectReceiver: Sendable {
  /// Runs one authorization.
  ///
  /// - Parameter begin: takes the redirect address of this receiver and gives the attempt with the page to open.
  ///   Called once, when redirects can already arrive.
  /// - Returns: the whole address that the browser was sent to, for which ``AuthorizationAttempt/isAnswer(_:)`` holds.
  func receive(
    _ begin: @escaping @Sendable (_ redirectURI: String) async throws(AuthorizationError) -> AuthorizationPage
  ) async throws(AuthorizationError) -> String
}

/// A page to open, and the attempt it belongs to.
public struct AuthorizationPage: Sendable, Hashable {
  /// The page's address. Holds no secret but `state` and the challenge, which are meant for it.
  public let url: String
  /// What the answer is checked against.
  public let attempt: AuthorizationAttempt

  /// The page at `url` for `attempt`.
  public init(url: String, attempt: AuthorizationAttempt) {
    self.url = url
    self.attempt = attempt
  }
}
