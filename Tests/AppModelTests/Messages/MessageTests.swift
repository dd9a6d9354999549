import HTTP
import PayPulseKit
import Testing
import WireModels

@testable import AppModel

@Suite("Messages")
struct MessageTests {
  @Test("every key is a text of its own, under an area of the catalogue")
  func keys() {
    #expect(Set(MessageKey.allCases.map(\.rawValue)).count == MessageKey.allCases.count)
    let areas = Set(MessageKey.allCases.map { $0.rawValue.prefix { $0 != "." } })
    #expect(areas == ["form", "sign_in", "server", "device", "gmail"])
  }

  @Test("every kind of refusal has words, and an unknown code is shown as it came")
  func refusals() {
    func key(_ status: Int, _ code: ErrorCode, _ reason: ErrorReason? = nil) -> Message {
      Message(APIError.refused(APIError.Refusal(status: status, code: code, message: "m", reason: reason)))
    }
    #expect(key(400, .invalidCredentials, .wrongAudience).key == .wrongGoogleClient)
    #expect(key(400, .invalidCredentials, .refreshTokenWrongClient).key == .wrongGoogleClient)
    #expect(key(400, .invalidCredentials, .blockedByAdmin).key == .blockedByAdministrator)
    #expect(key(400, .invalidCredentials, .accountMismatch).key == .tokensRefused)
    #expect(key(503, .gmailNotConfigured, .googleClientMisconfigured).key == .serverLacksGmail)
    #expect(key(503, .gmailNotConfigured).key == .serverLacksGmail)
    #expect(key(429, .rateLimited).key == .tooManyAttempts)
    #expect(key(502, .dependencyFailure).key == .serverUnavailable)
    #expect(key(500, .internalServerError).key == .serverUnavailable)
    #expect(key(504, .unknownError).key == .serverUnavailable)
    #expect(key(404, .unknownError) == Message(.serverRefused, "UNKNOWN_ERROR", "m"))
    #expect(
      key(409, ErrorCode(rawValue: "QUOTA_OF_2031"), ErrorReason(rawValue: "moon_phase"))
        == Message(.serverRefused, "QUOTA_OF_2031", "m"))
  }

  @Test(
    "every way to have no reply has words",
    arguments: [
      (HTTPClientError.unreachable, MessageKey.serverUnreachable), (.cancelled, .serverUnreachable),
      (.timedOut, .serverSilent), (.connectionLost, .serverSilent), (.invalidURL, .serverUnreachable),
    ])
  func network(cause: HTTPClientError, key: MessageKey) {
    #expect(Message(APIError.unreachable(cause)).key == key)
  }

  @Test("I-42: a refusal of Google's tokens is never told as a wrong password")
  func tokensAreNoPassword() {
    let refusal = APIError.Refusal(status: 400, code: .invalidCredentials, message: "Invalid OAuth tokens")
    #expect(Message(ConnectError.server(.refused(refusal), kept: false)).key == .tokensRefused)
    #expect(Message(signIn: refusal).key == .wrongPassword)
  }

  @Test(
    "every error of Google's has words, and says whether trying again can help",
    arguments: [
      (AuthorizationError.denied, MessageKey.consentDeclined, true), (.cancelled, .consentCancelled, true),
      (.blockedByAdmin(code: "admin_policy_enforced"), .blockedByAdministrator, false),
      (.blockedByAdmin(code: "emm_passcode_required"), .deviceNotCompliant, false),
      (.clientMisconfigured(code: "deleted_client"), .googleClientRefused, false),
      (.grantRefused, .consentExpired, true), (.notOurs(.state), .googleAnswerInvalid, true),
      (.network(.timedOut), .googleUnreachable, true), (.unavailable(status: 503), .googleUnavailable, true),
      (.invalidReply, .googleAnswerInvalid, true), (.refused(code: "odd"), .googleRefused, true),
      (.storage(.file(path: "p", code: 28)), .deviceStorageFailed, true),
      (.keychain, .deviceStorageFailed, true),
      (.receiver("r"), .googleSignInFailed, true), (.nobodySignedIn, .googleSignInFailed, true),
      (.scopesAlreadyGranted, .googleSignInFailed, true),
      (.mismatchWithCurrentUser, .googleSignInFailed, true),
      (.unknown(code: -1), .googleSignInFailed, true),
    ])
  func google(error: AuthorizationError, key: MessageKey, canRetry: Bool) {
    let failure = ConnectError.google(error, kept: false)
    #expect(Message(failure).key == key)
    #expect(failure.canRetry == canRetry)
  }
}
