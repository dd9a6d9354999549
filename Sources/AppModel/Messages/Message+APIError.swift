import PayPulseKit
import WireModels

extension Message {
  /// What `error` means to the person who asked for something other than a sign-in.
  init(_ error: APIError) {
    switch error {
    case .sessionEnded(let code): self.init(sessionEnded: code)
    case .unreachable: self.init(error.isUnconfirmed ? .serverSilent : .serverUnreachable)
    case .invalidReply: self.init(.serverUnknown)
    case .refused(let refusal): self.init(refusal)
    }
  }

  /// Why a session is over.
  init(sessionEnded code: ErrorCode) {
    switch code {
    case .tokenExpired: self.init(.sessionExpired)
    case .userNotFound: self.init(.accountGone)
    default: self.init(.sessionInvalid)
    }
  }

  /// What a refused sign-in or sign-up means.
  init(signIn refusal: APIError.Refusal) {
    switch refusal.code {
    case .invalidCredentials: self.init(.wrongPassword)
    case .userNotFound: self.init(.noSuchAccount)
    case .userAlreadyExists: self.init(.accountExists)
    default: self.init(refusal)
    }
  }

  /// What any other refusal means. The kind of refusal, where the server names one it knows, says more than its code.
  init(_ refusal: APIError.Refusal) {
    if let key = refusal.reason.flatMap({ Self.key(of: $0) }) ?? Self.key(of: refusal) {
      self.init(key)
    } else {
      self.init(.serverRefused, refusal.code.rawValue, refusal.message)
    }
  }

  private static func key(of refusal: APIError.Refusal) -> MessageKey? {
    switch refusal.code {
    case .gmailNotConfigured: .serverLacksGmail
    case .rateLimited: .tooManyAttempts
    case .dependencyFailure, .internalServerError, .jwtError: .serverUnavailable
    default: refusal.code == .unknownError && refusal.status >= 500 ? .serverUnavailable : nil
    }
  }

  private static func key(of reason: ErrorReason) -> MessageKey? {
    switch reason {
    case .wrongAudience, .refreshTokenWrongClient: .wrongGoogleClient
    case .blockedByAdmin: .blockedByAdministrator
    case .googleClientMisconfigured: .serverLacksGmail
    case .accessTokenInvalid, .identityScopeMissing, .refreshTokenInvalid, .accountMismatch: .tokensRefused
    default: nil
    }
  }
}
