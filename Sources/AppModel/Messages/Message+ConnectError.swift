import PayPulseKit
import WireModels

extension Message {
  /// What a failed connect means.
  init(_ error: ConnectError) {
    switch error {
    case .google(let cause, _): self.init(cause)
    // The server says no more than this of tokens that Google refuses; a password is not at stake here.
    case .server(.refused(let refusal), _) where refusal.code == .invalidCredentials && refusal.reason == nil:
      self.init(.tokensRefused)
    case .server(let cause, _): self.init(cause)
    case .expired: self.init(.consentExpired)
    case .storage: self.init(.deviceStorageFailed)
    }
  }

  private init(_ error: AuthorizationError) {
    switch error {
    case .denied: self.init(.consentDeclined)
    case .cancelled: self.init(.consentCancelled)
    case .blockedByAdmin(let code) where code.hasPrefix("emm"): self.init(.deviceNotCompliant)
    case .blockedByAdmin: self.init(.blockedByAdministrator)
    case .clientMisconfigured(let code): self.init(.googleClientRefused, code)
    case .grantRefused: self.init(.consentExpired)
    case .network: self.init(.googleUnreachable)
    case .unavailable: self.init(.googleUnavailable)
    case .notOurs, .invalidReply: self.init(.googleAnswerInvalid)
    case .refused(let code): self.init(.googleRefused, code)
    case .storage, .keychain: self.init(.deviceStorageFailed)
    case .receiver, .nobodySignedIn, .scopesAlreadyGranted, .mismatchWithCurrentUser, .unknown:
      self.init(.googleSignInFailed)
    }
  }
}

extension ConnectError {
  /// Whether the person may have better luck by trying again, with nothing changed elsewhere first.
  var canRetry: Bool {
    switch self {
    case .google(.blockedByAdmin, _), .google(.clientMisconfigured, _): false
    case .server(.refused(let refusal), _):
      switch refusal.reason {
      case .wrongAudience?, .refreshTokenWrongClient?, .blockedByAdmin?, .googleClientMisconfigured?: false
      default: true
      }
    default: true
    }
  }
}
