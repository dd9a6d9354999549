import Observation
import PayPulseKit
import Primitives
import WireModels

/// Signing in and signing up: two forms with their outcome.
@MainActor @Observable public final class SignInModel {
  /// How it stands.
  public enum State: Sendable, Hashable {
    /// The form waits to be filled in.
    case ready
    /// The server is asked for a session.
    case signingIn
    /// The server is asked for an account.
    case signingUp
    /// It did not work; the form waits for another try.
    case failed(Message)
    /// A session came to its end, and why; the form waits.
    case sessionEnded(Message)
    /// There is a session now.
    case signedIn
  }

  /// The e-mail address, as typed.
  public var email = ""
  /// The person's name, as typed; only for signing up.
  public var name = ""
  /// The password, as typed. Emptied once it has served.
  public var password = ""
  /// How it stands.
  public private(set) var state = State.ready

  /// Whether the server is being asked.
  public var isBusy: Bool { state == .signingIn || state == .signingUp }

  private let lifecycle: SessionLifecycle
  @ObservationIgnored var signedIn: (@MainActor (Session) async -> Void)?

  /// Forms for the server of `services`.
  init(services: AppServices) { lifecycle = services.lifecycle }

  /// Signs in. Any password is sent: rules for new ones do not bind old accounts.
  public func signIn() async {
    guard !isBusy else { return }
    let address = trimmed(email)
    guard isAddress(address) else { return state = .failed(Message(.emailInvalid)) }
    guard !password.isEmpty else { return state = .failed(Message(.passwordMissing)) }
    state = .signingIn
    do throws(SessionError) {
      await finish(try await lifecycle.signIn(email: address, password: Secret(password)))
    } catch { state = .failed(Self.message(error)) }
  }

  /// Makes an account and signs in.
  public func signUp() async {
    guard !isBusy else { return }
    let address = trimmed(email)
    let person = trimmed(name)
    guard !person.isEmpty else { return state = .failed(Message(.nameMissing)) }
    guard isAddress(address) else { return state = .failed(Message(.emailInvalid)) }
    guard !password.isEmpty else { return state = .failed(Message(.passwordMissing)) }
    // The server's rule, in bytes as bcrypt counts.
    guard password.utf8.count >= 8 else { return state = .failed(Message(.passwordTooShort)) }
    guard password.utf8.count <= 72 else { return state = .failed(Message(.passwordTooLong)) }
    state = .signingUp
    do throws(SessionError) {
      await finish(
        try await lifecycle.signUp(email: address, name: person, password: Secret(password)))
    } catch .api(let cause) where cause.isUnconfirmed {
      // A sign-up is never sent twice, so the device cannot know.
      state = .failed(Message(.signUpUnconfirmed))
    } catch { state = .failed(Self.message(error)) }
  }

  /// Says why a session is over; nil when the person ended it.
  func sessionEnded(_ reason: ErrorCode?) {
    password = ""
    state = reason.map { .sessionEnded(Message(sessionEnded: $0)) } ?? .ready
  }

  private func finish(_ session: Session) async {
    password = ""
    name = ""
    state = .signedIn
    await signedIn?(session)
  }

  private func trimmed(_ text: String) -> String {
    let inner = text.drop { $0.isWhitespace }
    return String(
      inner.prefix(upTo: inner.lastIndex { !$0.isWhitespace }.map(inner.index(after:)) ?? inner.startIndex))
  }

  /// Something before and after an `@`; the rest is the server's to judge.
  private func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains { $0.isWhitespace }
  }

  private static func message(_ error: SessionError) -> Message {
    switch error {
    case .storage: Message(.deviceStorageFailed)
    case .api(.refused(let refusal)): Message(signIn: refusal)
    case .api(let cause): Message(cause)
    }
  }
}
