import HTTP
import Primitives

/// Why Google gave no tokens. Safe to print: holds no token, code or address.
public enum AuthorizationError: Error, Sendable, Hashable {
  /// The person pressed Cancel, or declined (`access_denied`).
  case denied
  /// The page was closed. Google's own error pages end this way too, so it need not be the person's wish.
  case cancelled
  /// A Workspace administrator, or a policy of Google's, refuses the app for this account.
  case blockedByAdmin(code: String)
  /// Google refuses the client: its id, its type or its redirect is wrong. For whoever set it up.
  case clientMisconfigured(code: String)
  /// Google takes this code or refresh token no more (`invalid_grant`): ask for consent again.
  case grantRefused
  /// The answer belongs to another question: its `state`, `iss` or `nonce` is not ours. It was not used.
  case notOurs(Mismatch)
  /// No reply from Google.
  case network(HTTPClientError)
  /// Google answers, but not now (429, 5xx, or a page in place of JSON).
  case unavailable(status: Int)
  /// An answer that breaks the protocol.
  case invalidReply
  /// Any other OAuth error.
  case refused(code: String)
  /// The device could not keep what the flow needs, so it was not begun.
  case storage(StorageError)
  /// The redirect cannot be received on this device.
  case receiver(String)
  /// Google's SDK cannot read or write its Keychain item.
  case keychain
  /// Google's SDK holds nobody to ask for more: sign in.
  case nobodySignedIn
  /// Google's SDK was asked for scopes that are granted already, and gives no tokens for them: sign in.
  case scopesAlreadyGranted
  /// Google's SDK holds another account than the one that was asked for more: sign in.
  case mismatchWithCurrentUser
  /// An error of the SDK's that says nothing but its number.
  case unknown(code: Int)

  /// Which value did not match.
  public enum Mismatch: Sendable, Hashable {
    /// `state` of the authorization response.
    case state
    /// `iss` of the authorization response (RFC 9207).
    case issuer
    /// `nonce` of the ID token.
    case nonce
    /// `aud` of the ID token.
    case audience
  }

  /// Whether the same may succeed in a while without the person.
  public var isPassing: Bool {
    switch self {
    case .network, .unavailable: true
    default: false
    }
  }

  /// The meaning of an OAuth `error` (RFC 6749 sections 4.1.2.1 and 5.2, and Google's own codes).
  /// Descriptions are never looked at: Google changes them.
  public init(oauthError code: String, atTokenEndpoint: Bool) {
    switch code {
    case "access_denied": self = atTokenEndpoint ? .blockedByAdmin(code: code) : .denied
    case "admin_policy_enforced", "org_internal": self = .blockedByAdmin(code: code)
    case "invalid_grant": self = .grantRefused
    case "internal_failure", "server_error", "temporarily_unavailable", "rate_limit_exceeded":
      self = .unavailable(status: 503)
    case let code where Self.clientCodes.contains(code): self = .clientMisconfigured(code: code)
    default: self = .refused(code: Self.printable(code))
    }
  }

  /// Google's codes that say the client is set up wrongly.
  public static let clientCodes: Set<String> = [
    "invalid_client", "unauthorized_client", "deleted_client", "disabled_client", "redirect_uri_mismatch",
    "invalid_request", "invalid_scope", "unsupported_response_type", "unsupported_grant_type",
    "disallowed_useragent",
  ]

  /// An `error` is a short ASCII word; anything else is not repeated to a terminal.
  private static func printable(_ code: String) -> String {
    let isWord = code.utf8.count <= 64 && code.isVisibleASCII
    return isWord ? code : "unknown"
  }
}
