import HTTP

/// Why the Sign-In SDK gave no user, read from the domain and code of its `NSError`. Safe to print.
public enum GoogleSignInFailure: Error, Sendable, Hashable {
  /// One of the SDK's own errors. The detail is the first word of its description, where that is a code of its own
  /// (as `emm_passcode_required` is, or OAuth's `access_denied`); else empty.
  case sdk(Code, detail: String)
  /// Google's OAuth endpoints refused with this `error` (RFC 6749 sections 4.1.2.1 and 5.2).
  case oauth(error: String, atTokenEndpoint: Bool)
  /// There was no reply.
  case network(HTTPClientError)
  /// Any other error.
  case other(code: Int)

  /// The codes of the domain `com.google.GIDSignIn` (`GIDSignInError.Code`, version 9.1, and the one to come).
  public enum Code: CaseIterable, Sendable {
    /// Nothing more is known.
    case unknown
    /// The SDK's Keychain item cannot be read or written.
    case keychain
    /// Nobody has signed in on this device, or they signed out (the SDK's *no current user*).
    case hasNoAuthInKeychain
    /// The page was closed.
    case canceled
    /// The account's organisation manages devices, and this one does not comply.
    case emm
    /// The same claim was asked for twice.
    case ambiguousClaims
    /// Every scope was granted before, so nothing was asked.
    case scopesAlreadyGranted
    /// The user that was asked for more is no longer the current one.
    case mismatchWithCurrentUser
    /// The claims that were asked for cannot be written as JSON.
    case jsonSerializationFailure
    /// The refresh token is known to have ended.
    case refreshTokenExpired

    /// The number in the `NSError`.
    public var number: Int {
      switch self {
      case .unknown: -1
      case .keychain: -2
      case .hasNoAuthInKeychain: -4
      case .canceled: -5
      case .emm: -6
      case .ambiguousClaims: -7
      case .scopesAlreadyGranted: -8
      case .mismatchWithCurrentUser: -9
      case .jsonSerializationFailure: -10
      case .refreshTokenExpired: -11
      }
    }
  }

  /// Reads an `NSError`.
  ///
  /// - Parameters:
  ///   - domain: its domain.
  ///   - code: its code in that domain.
  ///   - description: its localized description.
  ///   - oauthError: `error` of the OAuth answer in its user info (`OIDOAuthErrorResponseErrorKey`), where it has one.
  public init(domain: String, code: Int, description: String = "", oauthError: String? = nil) {
    switch domain {
    case Self.sdkDomain:
      self =
        Code.allCases.first { $0.number == code }.map { .sdk($0, detail: Self.word(in: description)) }
        ?? .other(code: code)
    case Self.oauthTokenDomain, Self.oauthAuthorizationDomain:
      let atTokenEndpoint = domain == Self.oauthTokenDomain
      let names = atTokenEndpoint ? Self.tokenErrors : Self.authorizationErrors
      self =
        (oauthError ?? names[code]).map { .oauth(error: $0, atTokenEndpoint: atTokenEndpoint) }
        ?? .other(code: code)
    case Self.appAuthDomain: self = Self.general(code)
    case "NSURLErrorDomain": self = .network(HTTPClientError(urlErrorCode: code))
    default: self = .other(code: code)
    }
  }

  private static let sdkDomain = "com.google.GIDSignIn"
  private static let appAuthDomain = "org.openid.appauth.general"
  private static let oauthTokenDomain = "org.openid.appauth.oauth_token"
  private static let oauthAuthorizationDomain = "org.openid.appauth.oauth_authorization"

  /// AppAuth's `OIDErrorCodeOAuthToken`, for an error that does not carry Google's answer.
  private static let tokenErrors = [
    -2: "invalid_request", -3: "invalid_client", -4: "invalid_grant", -5: "unauthorized_client",
    -6: "unsupported_grant_type", -7: "invalid_scope",
  ]
  /// AppAuth's `OIDErrorCodeOAuthAuthorization`.
  private static let authorizationErrors = [
    -2: "invalid_request", -3: "unauthorized_client", -4: "access_denied", -5: "unsupported_response_type",
    -6: "invalid_scope", -7: "server_error", -8: "temporarily_unavailable",
  ]

  /// AppAuth's `OIDErrorCode`: closed by the person, closed by the app, no network, a broken server.
  private static func general(_ code: Int) -> Self {
    switch code {
    case -3, -4: .sdk(.canceled, detail: "")
    case -5: .network(.unreachable)
    case -6: .oauth(error: "server_error", atTokenEndpoint: true)
    default: .other(code: code)
    }
  }

  /// `access_denied`, `emm_passcode_required`, or `emm_app_verification_required` of `emm_app_verification_required: <url>`.
  private static func word(in description: String) -> String {
    let word = description.prefix { $0 != ":" && $0 != " " }
    let isCode =
      (word.hasPrefix("emm_") || authorizationErrors.values.contains(String(word))) && word.utf8.count <= 64
      && word.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "_") }
    return isCode ? String(word) : ""
  }
}

extension HTTPClientError {
  /// The meaning of a code of `NSURLErrorDomain`. A request counts as not sent only where the code says so: no
  /// network, no host, no connection, no TLS.
  public init(urlErrorCode code: Int) {
    switch code {
    case -999: self = .cancelled
    case -1001: self = .timedOut
    case -1000, -1002: self = .invalidURL
    case -1103: self = .responseTooLarge
    case -1003, -1004, -1006, -1009, -1020 ... -1018, -1022, -1206 ... -1200: self = .unreachable
    default: self = .connectionLost
    }
  }
}

extension AuthorizationError {
  /// What the SDK's error means for a connect.
  public init(_ failure: GoogleSignInFailure) {
    switch failure {
    case .sdk(let code, let detail): self.init(code, detail: detail)
    case .oauth(let error, let atTokenEndpoint):
      self.init(oauthError: error, atTokenEndpoint: atTokenEndpoint)
    case .network(.cancelled): self = .cancelled
    case .network(let error): self = .network(error)
    case .other(let code): self = .unknown(code: code)
    }
  }

  private init(_ code: GoogleSignInFailure.Code, detail: String) {
    switch code {
    // The SDK says so of a consent that was declined, and gives OAuth's word for it as the description.
    case .unknown where !detail.isEmpty && !detail.hasPrefix("emm_"):
      self.init(oauthError: detail, atTokenEndpoint: false)
    case .unknown: self = .unknown(code: code.number)
    case .keychain: self = .keychain
    case .hasNoAuthInKeychain: self = .nobodySignedIn
    case .canceled: self = .cancelled
    case .emm: self = .blockedByAdmin(code: detail.isEmpty ? "emm" : detail)
    case .ambiguousClaims: self = .clientMisconfigured(code: "ambiguous_claims")
    case .scopesAlreadyGranted: self = .scopesAlreadyGranted
    case .mismatchWithCurrentUser: self = .mismatchWithCurrentUser
    case .jsonSerializationFailure: self = .clientMisconfigured(code: "json_serialization_failure")
    case .refreshTokenExpired: self = .grantRefused
    }
  }
}
