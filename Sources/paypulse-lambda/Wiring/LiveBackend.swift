import API
import AWS
import Domain
import HTTP
import Primitives

/// The backend with the settings of now: they are read again after a while, and when a session's token does not
/// verify, since its key may have been changed meanwhile.
package actor LiveBackend {
  /// For how long settings are believed to be those of now.
  package static let lifetime: Duration = .seconds(300)
  /// How often at most they are read again because of tokens that do not verify: anyone can send those.
  package static let pause: Duration = .seconds(30)

  /// One backend and its responder.
  package struct Current: Sendable {
    /// The parts.
    package let backend: Backend
    /// Answers requests with them.
    package let responder: any Responder
  }

  private let read: @Sendable () async throws(LambdaFailure) -> SecretSettings
  private let build: @Sendable (SecretSettings) -> Backend
  private let time: TimeSource
  private let log: Log
  private var settings: SecretSettings
  private var readAt: Timestamp
  private var made: Current

  /// The backend that `build` makes of what `read` gives now; it fails when nothing can be read.
  package init(
    read: @escaping @Sendable () async throws(LambdaFailure) -> SecretSettings,
    build: @escaping @Sendable (SecretSettings) -> Backend, time: TimeSource, log: Log
  ) async throws(LambdaFailure) {
    self.read = read
    self.build = build
    self.time = time
    self.log = log
    settings = try await read()
    readAt = time.now()
    made = Self.make(build(settings))
  }

  private static func make(_ backend: Backend) -> Current {
    Current(backend: backend, responder: backend.application.responder())
  }

  /// The backend to use now.
  package func current() async -> Current {
    if isOlder(than: Self.lifetime) { _ = await renew() }
    return made
  }

  /// Another backend than the one that just refused a token; nil when the settings are the same, or were read
  /// only just now.
  package func afterRefusedToken() async -> Current? {
    guard isOlder(than: Self.pause), await renew() else { return nil }
    return made
  }

  private func isOlder(than age: Duration) -> Bool {
    let now = time.now()
    return now - readAt >= age || now < readAt
  }

  /// Reads the settings; whether they are others. What cannot be read stays as it was until the next time.
  private func renew() async -> Bool {
    readAt = time.now()
    let new: SecretSettings
    do throws(LambdaFailure) { new = try await read() } catch {
      log.error("settings_not_read", [("type", .string(error.type)), ("message", .string(error.message))])
      return false
    }
    guard new != settings else { return false }
    log.info("settings_changed")
    settings = new
    made = Self.make(build(new))
    return true
  }
}
