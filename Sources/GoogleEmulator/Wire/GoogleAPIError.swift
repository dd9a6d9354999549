import HTTP
import Primitives

/// An error of a Google API, in the envelope that has both `errors[]` and `status`.
struct GoogleAPIError: Error {
  var code: Int
  var message: String
  var reason: String
  var status: String
  var domain = "global"
  /// The message inside `errors[]`, where it differs from the outer one.
  var innerMessage: String?
  /// The header or parameter at fault: its name and where it stands.
  var location: (name: String, type: String)?
  /// The reason and metadata of a `google.rpc.ErrorInfo`.
  var info: (reason: String, metadata: [String: JSONValue])?
  /// Further header fields.
  var fields: [(String, String)] = []

  var response: HTTPResponse {
    var item: [String: JSONValue] = [
      "message": .string(innerMessage ?? message), "domain": .string(domain), "reason": .string(reason),
    ]
    item["location"] = location.map { .string($0.name) }
    item["locationType"] = location.map { .string($0.type) }
    var error: [String: JSONValue] = [
      "code": .integer(Int64(code)), "message": .string(message), "errors": [.object(item)],
      "status": .string(status),
    ]
    if let info {
      error["details"] = [
        [
          "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(info.reason),
          "domain": "googleapis.com", "metadata": .object(info.metadata),
        ]
      ]
    }
    var response = HTTPResponse.google(code, ["error": .object(error)])
    response.fields["Cache-Control"] = "private"
    for (name, value) in fields { response.fields[name] = value }
    return response
  }

  /// The `WWW-Authenticate` value for `error`; nil when no token was sent at all.
  static func challenge(_ error: String?, scope: String? = nil) -> String {
    #"Bearer realm="https://accounts.google.com/""# + (error.map { #", error="\#($0)""# } ?? "")
      + (scope.map { #", scope="\#($0)""# } ?? "")
  }
}

extension GoogleAPIError {
  private static let seeConsole =
    "Expected OAuth 2 access token, login cookie or other valid authentication credential. "
    + "See https://developers.google.com/identity/sign-in/web/devconsole-project."

  static let invalidCredentials = GoogleAPIError(
    code: 401, message: "Request had invalid authentication credentials. " + seeConsole, reason: "authError",
    status: "UNAUTHENTICATED", innerMessage: "Invalid Credentials", location: ("Authorization", "header"),
    fields: [("WWW-Authenticate", challenge("invalid_token"))])

  static let loginRequired = GoogleAPIError(
    code: 401, message: "Request is missing required authentication credential. " + seeConsole,
    reason: "required", status: "UNAUTHENTICATED", innerMessage: "Login Required.",
    location: ("Authorization", "header"), info: ("CREDENTIALS_MISSING", [:]),
    fields: [("WWW-Authenticate", challenge(nil))])

  /// The token lives but was not given any of the `accepted` scopes.
  static func insufficientScope(accepted: [String], service: String, method: String) -> GoogleAPIError {
    GoogleAPIError(
      code: 403, message: "Request had insufficient authentication scopes.",
      reason: "insufficientPermissions",
      status: "PERMISSION_DENIED", innerMessage: "Insufficient Permission",
      info: (
        "ACCESS_TOKEN_SCOPE_INSUFFICIENT", ["service": .string(service), "method": .string(method)]
      ),
      fields: [
        ("WWW-Authenticate", challenge("insufficient_scope", scope: accepted.joined(separator: " ")))
      ])
  }

  static func badRequest(_ message: String) -> GoogleAPIError {
    GoogleAPIError(code: 400, message: message, reason: "badRequest", status: "INVALID_ARGUMENT")
  }

  static func invalidArgument(_ message: String) -> GoogleAPIError {
    GoogleAPIError(code: 400, message: message, reason: "invalidArgument", status: "INVALID_ARGUMENT")
  }

  static func forbidden(_ message: String) -> GoogleAPIError {
    GoogleAPIError(code: 403, message: message, reason: "forbidden", status: "PERMISSION_DENIED")
  }

  static let notFound = GoogleAPIError(
    code: 404, message: "Requested entity was not found.", reason: "notFound", status: "NOT_FOUND")
}
