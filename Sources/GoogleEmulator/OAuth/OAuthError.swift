import HTTP
import Primitives

/// An error of the token endpoint and its neighbours (RFC 6749 section 5.2, with Google's statuses and texts).
struct OAuthError: Error {
  let status: Int
  let code: String
  let description: String

  private init(_ status: Int, _ code: String, _ description: String) {
    self.status = status
    self.code = code
    self.description = description
  }

  /// Such an error with status 400.
  static func invalidRequest(_ description: String) -> OAuthError {
    OAuthError(400, "invalid_request", description)
  }
  static func missingParameter(_ name: String) -> OAuthError {
    invalidRequest("Missing required parameter: \(name)")
  }
  static func repeated(_ name: String) -> OAuthError {
    invalidRequest("OAuth 2 parameters can only have a single value: \(name)")
  }
  static func unsupportedGrantType(_ name: String) -> OAuthError {
    OAuthError(400, "unsupported_grant_type", "Invalid grant_type: \(name)")
  }
  static func invalidGrant(_ description: String) -> OAuthError {
    OAuthError(400, "invalid_grant", description)
  }

  static let noClient = invalidRequest("Could not determine client ID from request.")
  static let secretMissing = invalidRequest("client_secret is missing.")
  static let clientNotFound = OAuthError(401, "invalid_client", "The OAuth client was not found.")
  static let wrongSecret = OAuthError(401, "invalid_client", "The provided client secret is invalid.")
  static let foreignClient = OAuthError(401, "unauthorized_client", "Unauthorized")
  static let redirectMismatch = OAuthError(400, "redirect_uri_mismatch", "Bad Request")
  static let widerScope = OAuthError(400, "invalid_scope", "Bad Request")
  static let expiredOrRevoked = invalidGrant("Token has been expired or revoked.")
  static let unknownGrant = invalidGrant("Bad Request")
  static let invalidValue = OAuthError(400, "invalid_token", "Invalid Value")
  static let notRevocable = OAuthError(400, "invalid_token", "Token expired or revoked")

  var response: HTTPResponse {
    .google(status, ["error": .string(code), "error_description": .string(description)])
  }
}
