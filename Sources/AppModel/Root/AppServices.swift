import PayPulseKit
import Primitives

/// What the models work with. The app makes it once, from its adapters.
public struct AppServices: Sendable {
  let api: APIClient
  let sessions: any SessionStore
  let undelivered: any UndeliveredTokensStore
  let lifecycle: SessionLifecycle
  let authorizer: any GoogleAuthorizing
  let delivery: TokenDelivery
  let connector: GmailConnector
  let installMarker: InstallMarker
  let time: TimeSource

  /// The services of an app that speaks to one server.
  ///
  /// - Parameters:
  ///   - api: the server.
  ///   - google: redeems and refreshes what Google granted.
  ///   - authorizer: how a person consents: Google's SDK, or a browser.
  ///   - sessions: where the session is kept: the Keychain on Apple's systems.
  ///   - undelivered: where tokens are kept until the server has them.
  ///   - installMarker: tells an inherited Keychain from the app's own.
  ///   - time: the clock.
  public init(
    api: APIClient, google: GoogleTokenClient, authorizer: any GoogleAuthorizing,
    sessions: any SessionStore, undelivered: any UndeliveredTokensStore, installMarker: InstallMarker,
    time: TimeSource = .system
  ) {
    self.api = api
    self.sessions = sessions
    self.undelivered = undelivered
    self.authorizer = authorizer
    self.installMarker = installMarker
    self.time = time
    lifecycle = SessionLifecycle(api: api, sessions: sessions, undelivered: undelivered)
    delivery = TokenDelivery(api: api, google: google, store: undelivered, time: time)
    connector = GmailConnector(authorizer: authorizer, delivery: delivery, store: undelivered)
  }
}
