import HTTP

/// Why the authorization endpoint shows an error page. Google never redirects for these: the address to
/// redirect to cannot be trusted yet, or the person has to read the reason.
struct ConsentError: Error {
  let status: Int
  let code: String
  let message: String

  static func invalidRequest(_ message: String) -> ConsentError {
    ConsentError(status: 400, code: "invalid_request", message: message)
  }
  static func missing(_ parameter: String) -> ConsentError {
    invalidRequest("Missing required parameter: \(parameter)")
  }
  static func redirectMismatch(_ address: String) -> ConsentError {
    ConsentError(
      status: 400, code: "redirect_uri_mismatch",
      message: "The redirect URI in the request, \(address), does not match the type of this OAuth client.")
  }
  static func unsupportedResponseType(_ type: String) -> ConsentError {
    ConsentError(status: 400, code: "unsupported_response_type", message: "Invalid response_type: \(type)")
  }
  static func invalidScope(valid: [String], invalid: [String]) -> ConsentError {
    ConsentError(
      status: 400, code: "invalid_scope",
      message: "Some requested scopes were invalid. "
        + "{valid=[\(valid.joined(separator: ", "))], invalid=[\(invalid.joined(separator: ", "))]}")
  }

  static let clientNotFound = ConsentError(
    status: 401, code: "invalid_client", message: "The OAuth client was not found.")
  static let badChallenge = ConsentError(
    status: 400, code: "invalid_grant", message: "Invalid code challenge: it fits no code verifier.")
  static let expired = ConsentError(
    status: 400, code: "invalid_request",
    message: "This sign-in has already been finished or has expired. Go back to the app and start again.")

  var response: HTTPResponse { .page(status, ConsentPage.error(self)) }
}
