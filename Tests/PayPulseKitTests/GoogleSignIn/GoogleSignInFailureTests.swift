import HTTP
import PayPulseKit
import Testing

@Suite("Errors of Google's Sign-In SDK")
struct GoogleSignInFailureTests {
  private func meaning(
    _ domain: String, _ code: Int, _ description: String = "", oauth: String? = nil
  ) -> AuthorizationError {
    AuthorizationError(
      GoogleSignInFailure(domain: domain, code: code, description: description, oauthError: oauth))
  }

  @Test(
    "each of the SDK's own codes has a meaning",
    arguments: [
      (-1, AuthorizationError.unknown(code: -1)), (-2, .keychain), (-4, .nobodySignedIn), (-5, .cancelled),
      (-6, .blockedByAdmin(code: "emm")), (-7, .clientMisconfigured(code: "ambiguous_claims")),
      (-8, .scopesAlreadyGranted), (-9, .mismatchWithCurrentUser),
      (-10, .clientMisconfigured(code: "json_serialization_failure")), (-11, .grantRefused),
      (-3, .unknown(code: -3)), (-99, .unknown(code: -99)),
    ])
  func sdk(code: Int, expected: AuthorizationError) {
    #expect(meaning("com.google.GIDSignIn", code, "The user canceled the sign-in flow.") == expected)
  }

  @Test(
    "B2: a consent that was declined comes as the SDK's unknown error with OAuth's word",
    arguments: [
      ("access_denied", AuthorizationError.denied), ("access_denied: The user said no", .denied),
      ("temporarily_unavailable", .unavailable(status: 503)), ("emm_passcode_required", .unknown(code: -1)),
    ])
  func declined(description: String, expected: AuthorizationError) {
    #expect(meaning("com.google.GIDSignIn", -1, description) == expected)
  }

  @Test("no code of the SDK's is without a test of its meaning")
  func completeness() {
    #expect(GoogleSignInFailure.Code.allCases.map(\.number) == [-1, -2, -4, -5, -6, -7, -8, -9, -10, -11])
  }

  @Test(
    "a device policy's own code is kept, and nothing else of the description",
    arguments: [
      ("emm_passcode_required", "emm_passcode_required"),
      ("emm_app_verification_required: https://example.org/x?token=1", "emm_app_verification_required"),
      ("emm_ODD", "emm"), ("Something about jane@example.org", "emm"), ("", "emm"),
    ])
  func devicePolicy(description: String, code: String) {
    #expect(meaning("com.google.GIDSignIn", -6, description) == .blockedByAdmin(code: code))
  }

  @Test(
    "OAuth errors mean what Google's answer says, or else AppAuth's number",
    arguments: [
      ("oauth_token", -4, nil, AuthorizationError.grantRefused),
      ("oauth_token", -4, "admin_policy_enforced", .blockedByAdmin(code: "admin_policy_enforced")),
      ("oauth_token", -3, nil, .clientMisconfigured(code: "invalid_client")),
      ("oauth_token", -61439, "invalid_grant", .grantRefused),
      ("oauth_token", -61439, nil, .unknown(code: -61439)),
      ("oauth_authorization", -4, nil, .denied),
      ("oauth_authorization", -6, nil, .clientMisconfigured(code: "invalid_scope")),
      ("oauth_authorization", -7, nil, .unavailable(status: 503)),
      ("general", -3, nil, .cancelled), ("general", -4, nil, .cancelled),
      ("general", -5, nil, .network(.unreachable)), ("general", -6, nil, .unavailable(status: 503)),
      ("general", -15, nil, .unknown(code: -15)),
    ] as [(String, Int, String?, AuthorizationError)])
  func oauth(domain: String, code: Int, error: String?, expected: AuthorizationError) {
    #expect(meaning("org.openid.appauth." + domain, code, oauth: error) == expected)
  }

  @Test(
    "a network error says whether the request can have arrived",
    arguments: [
      (-1009, AuthorizationError.network(.unreachable)), (-1003, .network(.unreachable)),
      (-1200, .network(.unreachable)), (-1001, .network(.timedOut)), (-1005, .network(.connectionLost)),
      (-1, .network(.connectionLost)), (-999, .cancelled),
    ])
  func network(code: Int, expected: AuthorizationError) {
    #expect(meaning("NSURLErrorDomain", code) == expected)
  }

  @Test("an error of anybody else's is only a number")
  func stranger() { #expect(meaning("NSCocoaErrorDomain", 4) == .unknown(code: 4)) }
}
