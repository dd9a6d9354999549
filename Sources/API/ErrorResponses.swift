import Domain
import HTTP
import Primitives
import WireModels

/// An error as the client gets it. This file is the only place where an error of the domain becomes a code
/// and a status.
package struct ErrorResponse: Error, Sendable {
  let status: Int
  let code: ErrorCode
  let message: String
  var reason: ErrorReason?
  var retryAfter: Duration?
  var allowed: [HTTPMethod] = []

  /// The response, in the contract's error envelope.
  func response(to request: HTTPRequest) -> HTTPResponse {
    let requestID = request.id.isEmpty ? nil : request.id
    var response = HTTPResponse.encoded(
      status, ErrorEnvelope(code: code, message: message, reason: reason, requestID: requestID))
    if let retryAfter { response.fields["Retry-After"] = String(max(1, retryAfter.components.seconds)) }
    if status == 401 { response.fields["WWW-Authenticate"] = "Bearer" }
    if !allowed.isEmpty { response.fields["Allow"] = allowed.map(\.rawValue).joined(separator: ", ") }
    return response
  }
}

// MARK: - The transport's own

extension ErrorResponse {
  /// What the transport answers with `status` to bytes that are no request, or one over a limit.
  package static func transport(_ status: Int, requestID: String) -> HTTPResponse {
    let error: ErrorResponse =
      switch status {
      case 408:
        ErrorResponse(
          status: 408, code: .invalidRequest, message: "The request took too long to arrive. Send it again.")
      case 413:
        ErrorResponse(status: 413, code: .payloadTooLarge, message: "The request body is larger than 64 KiB.")
      case 414, 431:
        ErrorResponse(
          status: status, code: .headersTooLarge,
          message: "The request line or its header fields are too large.")
      case 503:
        ErrorResponse(
          status: 503, code: .dependencyFailure, message: "The server is too busy. Try again.",
          retryAfter: .seconds(1))
      default:
        ErrorResponse(
          status: status, code: .invalidRequest, message: "The request is not well-formed HTTP/1.1.")
      }
    return error.response(to: HTTPRequest(method: .get, path: "/", id: requestID))
  }

  static let notFound = ErrorResponse(
    status: 404, code: .notFound,
    message: "There is nothing at this path. See /openapi.json for what there is.")
  static func methodNotAllowed(_ allowed: [HTTPMethod]) -> ErrorResponse {
    ErrorResponse(
      status: 405, code: .methodNotAllowed, message: "This path does not take that method.", allowed: allowed)
  }
  static let unsupportedCoding = ErrorResponse(
    status: 415, code: .unsupportedMediaType, message: "Send the body without a Content-Encoding.")
  static let internalError = ErrorResponse(
    status: 500, code: .internalServerError, message: "Internal Server Error")
}

// MARK: - Bodies

extension ErrorResponse {
  static let invalidJSON = ErrorResponse(
    status: 400, code: .invalidJSON, message: "Invalid JSON in request body")
  static func invalidRequest(_ message: String) -> ErrorResponse {
    ErrorResponse(status: 400, code: .invalidRequest, message: message)
  }
  static let invalidScope = invalidRequest("'scope' must be a string or an array of strings.")
  static func missingSignupField(_ name: String) -> ErrorResponse {
    ErrorResponse(status: 400, code: .missingFields, message: "Missing key in request body: '\(name)'")
  }
  static func missingLoginField(_ name: String) -> ErrorResponse {
    ErrorResponse(status: 400, code: .missingFields, message: "Missing key: '\(name)'")
  }
  static func missingUploadField(_ name: String) -> ErrorResponse {
    ErrorResponse(
      status: 400, code: .missingFields, message: "Missing required field in request body: '\(name)'")
  }
}

// MARK: - Credentials

extension ErrorResponse {
  static let missingCredentials = ErrorResponse(
    status: 401, code: .invalidCredentials, message: "Invalid Credentials")
  static let malformedToken = ErrorResponse(status: 401, code: .invalidToken, message: "Malformed Token")
  static let expiredToken = ErrorResponse(status: 401, code: .tokenExpired, message: "Expired token")
  static let endedSession = ErrorResponse(
    status: 401, code: .invalidToken, message: "This session has ended. Sign in again.")
  static let userNotFound = ErrorResponse(status: 404, code: .userNotFound, message: "User not found")
  static func rateLimited(_ what: String, _ wait: Duration) -> ErrorResponse {
    ErrorResponse(
      status: 429, code: .rateLimited, message: "Too many \(what). Try again later.",
      retryAfter: wait + .seconds(1))
  }

  init(_ refusal: SignUp.Refusal) {
    switch refusal {
    case .invalidEmail: self = .invalidRequest("'email' must be an e-mail address.")
    case .invalidName: self = .invalidRequest("'name' must be 1 to 200 bytes of text.")
    case .invalidPassword:
      let length = SignUp.passwordLength
      self = .invalidRequest("'password' must be \(length.lowerBound) to \(length.upperBound) bytes long.")
    case .emailTaken(let email):
      self.init(status: 403, code: .userAlreadyExists, message: "User with email '\(email)' already exists.")
    case .store: self = .dependencyFailure("Database error during signup")
    case .hashingFailed: self = .internalError
    }
  }

  init(_ refusal: LogIn.Refusal, hidesUnknownUsers: Bool) {
    switch refusal {
    case .unknownUser: self = hidesUnknownUsers ? .missingCredentials : .userNotFound
    case .wrongPassword: self = .missingCredentials
    case .tooManyAttempts(let wait): self = .rateLimited("wrong passwords", wait)
    case .store: self = .dependencyFailure("Database error during login")
    }
  }
}

// MARK: - Dependencies

extension ErrorResponse {
  static func dependencyFailure(_ message: String, retryAfter: Duration? = .seconds(5)) -> ErrorResponse {
    ErrorResponse(status: 502, code: .dependencyFailure, message: message, retryAfter: retryAfter)
  }

  init(_ error: StoreError, during what: String) {
    switch error {
    case .unavailable: self = .dependencyFailure("Database error during \(what)")
    case .noSuchUser: self = .endedSession
    }
  }
}

// MARK: - Connecting Gmail

extension ErrorResponse {
  init(_ refusal: ConnectRefusal) {
    switch refusal {
    case .accessTokenInvalid: self = .badTokens(.accessTokenInvalid, "")
    case .wrongAudience:
      self = .badTokens(.wrongAudience, "they were issued to another app's client ID.")
    case .identityScopeMissing:
      self = .badTokens(.identityScopeMissing, "ask for the scopes openid, email and profile too.")
    case .gmailScopeMissing:
      self = .badTokens(
        .gmailScopeMissing,
        "permission to read mail is missing. Connect again and tick the box that lets PayPulse view your e-mail "
          + "messages (\(GrantedScopes.gmailReadonly)).")
    case .refreshTokenInvalid:
      self = .badTokens(.refreshTokenInvalid, "Google does not accept the refresh token. Connect again.")
    case .refreshTokenWrongClient:
      self = .badTokens(.refreshTokenWrongClient, "the refresh token belongs to another client ID.")
    case .accountMismatch:
      self = .badTokens(.accountMismatch, "the two tokens belong to different Google accounts.")
    case .blockedByAdmin:
      self = .badTokens(
        .blockedByAdmin, "the administrator of this Google account does not allow the app. Ask them to.")
    case .googleClientMisconfigured:
      self.init(
        status: 503, code: .gmailNotConfigured,
        message: "Google does not accept this server's client ID. The operator has to mend it.",
        reason: .googleClientMisconfigured)
    case .notConfigured:
      self.init(
        status: 503, code: .gmailNotConfigured,
        message: "This server has no Google client ID. The operator has to set one (--google-client-id).")
    case .googleUnavailable(let wait):
      self = .dependencyFailure("Network error communicating with Google", retryAfter: wait)
    case .store(.unavailable): self = .dependencyFailure("Error storing OAuth tokens")
    case .store(.noSuchUser): self = .endedSession
    }
  }

  private static func badTokens(_ reason: ErrorReason, _ detail: String) -> ErrorResponse {
    let message = detail.isEmpty ? "Invalid OAuth tokens" : "Invalid OAuth tokens: " + detail
    return ErrorResponse(status: 400, code: .invalidCredentials, message: message, reason: reason)
  }
}
