/// Why, for a program to act on: `error.reason` of a refusal and `gmail_connection.reason` of a profile.
/// Open: a reason that this version does not know decodes too.
public struct ErrorReason: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The reason as it stands on the wire.
  public let rawValue: String
  /// A reason by its wire form.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The reason as it stands on the wire.
  public var description: String { rawValue }
}

// Refusals of uploaded Google tokens.
extension ErrorReason {
  /// Google does not know the access token, or it has expired.
  public static let accessTokenInvalid = ErrorReason(rawValue: "access_token_invalid")
  /// The token was issued to a client that is not one of ours.
  public static let wrongAudience = ErrorReason(rawValue: "wrong_audience")
  /// Google names no account for the token: an identity scope is missing.
  public static let identityScopeMissing = ErrorReason(rawValue: "identity_scope_missing")
  /// The grant cannot read mail: the box for it was left unticked.
  public static let gmailScopeMissing = ErrorReason(rawValue: "gmail_scope_missing")
  /// Google refuses the refresh token (`invalid_grant`).
  public static let refreshTokenInvalid = ErrorReason(rawValue: "refresh_token_invalid")
  /// The refresh token belongs to another client (`unauthorized_client`).
  public static let refreshTokenWrongClient = ErrorReason(rawValue: "refresh_token_wrong_client")
  /// The access token and the refresh token belong to different Google accounts.
  public static let accountMismatch = ErrorReason(rawValue: "account_mismatch")
  /// A Workspace administrator or a policy of Google's refuses the app.
  public static let blockedByAdmin = ErrorReason(rawValue: "blocked_by_admin")
  /// Google refuses the client itself: for the operator to mend.
  public static let googleClientMisconfigured = ErrorReason(rawValue: "google_client_misconfigured")
}

// Why a connection does not work.
extension ErrorReason {
  /// A connection without a refresh token came to its end.
  public static let accessExpired = ErrorReason(rawValue: "access_expired")
  /// Google says that the grant is dead.
  public static let invalidGrant = ErrorReason(rawValue: "invalid_grant")
  /// The Workspace's session control asks for a fresh sign-in.
  public static let invalidRAPT = ErrorReason(rawValue: "invalid_rapt")
  /// What is stored holds no usable tokens.
  public static let unreadable = ErrorReason(rawValue: "unreadable")
  /// A Workspace administrator does not allow the app.
  public static let adminPolicyEnforced = ErrorReason(rawValue: "admin_policy_enforced")
  /// Google refuses the account or the client at present.
  public static let accessDenied = ErrorReason(rawValue: "access_denied")
}
