import Observation
import PayPulseKit
import Primitives
import WireModels

/// The app: who is signed in, and the models of what they see.
@MainActor @Observable public final class RootModel {
  /// What is on the screen.
  public enum Phase {
    /// The device is being read.
    case starting
    /// The device cannot be read; ``RootModel/start()`` tries again.
    case failed(Message)
    /// Nobody is signed in: ``RootModel/signIn``.
    case signedOut
    /// Somebody is signed in.
    case signedIn(ProfileModel)
  }

  /// What is on the screen.
  public private(set) var phase = Phase.starting
  /// The forms for signing in and up.
  public let signIn: SignInModel

  private let services: AppServices
  @ObservationIgnored private var current: Session?

  /// An app over `services`; nothing happens before ``start()``.
  public init(services: AppServices) {
    self.services = services
    signIn = SignInModel(services: services)
    signIn.signedIn = { [weak self] session in await self?.enter(session) }
  }

  /// Reads the device: erases what a deleted installation left, and takes up the kept session. Call it once at the
  /// start, and again after ``Phase/failed(_:)``.
  public func start() async {
    guard current == nil else { return }
    let kept: Session?
    do throws(StorageError) {
      try await services.installMarker.eraseInherited(
        sessions: services.sessions, undelivered: services.undelivered, authorizer: services.authorizer)
      kept = try await services.sessions.load()
    } catch { return phase = .failed(Message(.deviceStorageFailed)) }
    guard let kept, kept.server == services.api.server else { return phase = .signedOut }
    current = kept
    if kept.hasEnded(by: services.time.now()) { return await end(kept, .byServer(.tokenExpired)) }
    await enter(kept)
  }

  /// Goes on with what waited: call it when the app comes to the foreground, and when the network is back.
  public func resume() async {
    switch phase {
    case .signedIn(let profile): await profile.load()
    case .failed: await start()
    case .starting, .signedOut: break
    }
  }

  private func enter(_ session: Session) async {
    current = session
    let loader = ProfileLoader(api: services.api, session: session)
    let gmail = GmailConnectionModel(services: services, loader: loader) { [weak self] code in
      await self?.end(session, .byServer(code))
    }
    let profile = ProfileModel(services: services, loader: loader, gmail: gmail) { [weak self] end in
      await self?.end(session, end)
    }
    phase = .signedIn(profile)
    await profile.load()
  }

  /// Ends `session`, if it is still the one: a late answer to another user's question changes nothing.
  private func end(_ session: Session, _ end: SessionEnd) async {
    guard current == session else { return }
    current = nil
    if case .signedIn(let profile) = phase { profile.gmail.stop() }
    if case .byServer(let code) = end {
      try? await services.lifecycle.signOut(session, forgetting: false)
      // Undelivered tokens wait for the user's next session, but not for a user who is gone.
      if code == .userNotFound, case .signedIn(let profile) = phase { await profile.gmail.forget() }
      signIn.sessionEnded(code)
    } else {
      signIn.sessionEnded(nil)
    }
    phase = .signedOut
  }
}
