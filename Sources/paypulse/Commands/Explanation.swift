import HTTP
import PayPulseKit
import WireModels

/// Errors in words that say what to do.
enum Explanation {
  static func failure(_ error: APIError, server: ServerAddress) -> CommandFailure {
    switch error {
    case .unreachable(let cause):
      CommandFailure(
        "\(server) cannot be reached: \(words(cause)). Check the address and the network.",
        status: .unreachable)
    case .sessionEnded(.userNotFound):
      CommandFailure("This account no longer exists. Make one with: paypulse signup")
    case .sessionEnded: CommandFailure("Your session has ended. Sign in again with: paypulse login")
    case .invalidReply(let status):
      CommandFailure("What answers at \(server) is no PayPulse server (HTTP \(status)). Check the address.")
    case .refused(let refusal): CommandFailure(words(refusal))
    }
  }

  static func failure(_ error: SessionError, server: ServerAddress) -> CommandFailure {
    switch error {
    case .api(let cause): failure(cause, server: server)
    case .storage(let cause): failure(cause)
    }
  }

  static func failure(_ error: StorageError) -> CommandFailure {
    switch error {
    case .file(let path, let code): CommandFailure("\(path) cannot be used: \(SystemError.text(code)).")
    case .keychain(let status): CommandFailure("The Keychain refuses (\(status)).")
    }
  }

  static func failure(_ error: ConnectError, server: ServerAddress) -> CommandFailure {
    switch error {
    case .google(let cause, let kept):
      CommandFailure(
        words(cause)
          + (kept ? "\nWhat Google gave is kept, and is used at your next connect-gmail, me or login." : ""),
        status: isUnreachable(cause) ? .unreachable : .refused)
    case .server(let cause, let kept):
      CommandFailure(
        failure(cause, server: server).message
          + (kept
            ? "\nGoogle's tokens are kept, and are delivered at your next login, me or connect-gmail." : ""),
        status: failure(cause, server: server).status)
    case .expired:
      CommandFailure("What Google gave earlier is no longer good. Connect again with: paypulse connect-gmail")
    case .storage(let cause): failure(cause)
    }
  }

  private static func words(_ refusal: APIError.Refusal) -> String {
    var text = refusal.message.isEmpty ? "HTTP \(refusal.status)" : refusal.message
    if refusal.code == .unknownError { text = "The server, or a gateway before it, refuses: \(text)" }
    text += text.hasSuffix(".") || text.hasSuffix("!") ? "" : "."
    if let advice = advice(refusal) { text += " " + advice }
    if refusal.status >= 500, let id = refusal.requestID { text += " (request \(id))" }
    return text
  }

  private static func advice(_ refusal: APIError.Refusal) -> String? {
    switch (refusal.code, refusal.reason) {
    case (.userAlreadyExists, _): "Sign in with: paypulse login"
    case (.userNotFound, _): "Make an account with: paypulse signup"
    case (.gmailNotConfigured, _): "The server's operator has to set up Google first."
    case (.rateLimited, _), (.dependencyFailure, _):
      "Try again in " + (refusal.retryAfter.map { "\($0) seconds." } ?? "a while.")
    case (_, .wrongAudience?), (_, .refreshTokenWrongClient?):
      "Use the Google client id that the server is configured with."
    case (_, .blockedByAdmin?): "Ask the administrator of this Google account to allow the app."
    case (_, .accountMismatch?), (_, .accessTokenInvalid?), (_, .refreshTokenInvalid?),
      (_, .identityScopeMissing?):
      "Connect again with: paypulse connect-gmail"
    default: nil
    }
  }

  private static func words(_ error: AuthorizationError) -> String {
    switch error {
    case .denied: "Google says that you declined. Nothing has changed."
    case .cancelled: "Cancelled. Nothing has changed."
    case .blockedByAdmin(let code):
      "Google refuses the app for this account (\(code)). Its administrator has to allow the app."
    case .clientMisconfigured(let code):
      "Google refuses the client (\(code)). Check --google-client-id and --redirect; it has to be a client of the "
        + "iOS type, which needs no secret."
    case .grantRefused: "Google no longer takes the answer. Connect again with: paypulse connect-gmail"
    case .notOurs(let mismatch):
      "The answer belongs to another request (\(mismatch)), so it was not used. Connect again."
    case .network(let cause): "Google cannot be reached: \(words(cause)). Check the network."
    case .unavailable(let status): "Google cannot answer at present (HTTP \(status)). Try again in a while."
    case .invalidReply: "Google's answer makes no sense. Check --google-base-url."
    case .refused(let code): "Google refuses (\(code))."
    case .storage(let cause): failure(cause).message
    case .receiver(let reason): reason
    case .keychain, .nobodySignedIn, .scopesAlreadyGranted, .mismatchWithCurrentUser, .unknown:
      // Of Google's Sign-In SDK, which only apps use.
      "Google's sign-in failed. Connect again with: paypulse connect-gmail"
    }
  }

  private static func isUnreachable(_ error: AuthorizationError) -> Bool {
    if case .network(let cause) = error { cause != .cancelled } else { false }
  }

  private static func words(_ error: HTTPClientError) -> String {
    switch error {
    case .invalidURL: "the address is not a valid one"
    case .unreachable: "no connection"
    case .timedOut: "no reply in time"
    case .connectionLost: "the connection broke"
    case .responseTooLarge: "the reply is too large"
    case .cancelled: "cancelled"
    }
  }
}
