/// The whole HTTP API as one table, for the server that answers it and the kit that calls it.
/// The raw value is the operation's id in `openapi.json`.
public enum APIRoute: String, CaseIterable, Sendable {
  /// Makes an account and a session.
  case signup
  /// Makes a session.
  case login
  /// Takes the Google tokens that a device obtained.
  case storeGmailTokens
  /// The same under the path that shipped apps call.
  case storeGmailTokensAlias
  /// Disconnects Gmail.
  case deleteGmailTokens
  /// Tells who the user is and how Gmail is connected.
  case getProfile
  /// Deletes the account and everything of it.
  case deleteAccount
  /// Whether the process runs.
  case health
  /// Whether the process can do its work.
  case readiness
  /// The description of this API.
  case openAPI

  /// The request method's name.
  public var method: String { row.method }
  /// The path's template; a `{name}` segment is a parameter.
  public var path: String { row.path }
  /// Whether `Authorization: Bearer <session token>` is needed.
  public var needsSession: Bool { row.needsSession }
  /// One line about what it does, for the API's description.
  public var summary: String { row.summary }

  private var row: (method: String, path: String, needsSession: Bool, summary: String) {
    switch self {
    case .signup: ("POST", "/v1/auth/signup", false, "Sign up")
    case .login: ("POST", "/v1/auth/login", false, "Sign in")
    case .storeGmailTokens: ("POST", "/v1/auth/gmail-tokens", true, "Connect Gmail")
    case .storeGmailTokensAlias:
      ("POST", "/v1/auth/gmail/store-tokens", true, "Connect Gmail, under the path that shipped apps call")
    case .deleteGmailTokens: ("DELETE", "/v1/auth/gmail-tokens", true, "Disconnect Gmail")
    case .getProfile: ("GET", "/v1/user/me", true, "Profile and state of the Gmail connection")
    case .deleteAccount: ("DELETE", "/v1/user/me", true, "Delete the account and all its data")
    case .health: ("GET", "/healthz", false, "The process runs")
    case .readiness: ("GET", "/readyz", false, "The process can do its work")
    case .openAPI: ("GET", "/openapi.json", false, "This API's description")
    }
  }
}
