/// What went wrong, as `error.code` says it. Open: a code that this version does not know decodes too.
public struct ErrorCode: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The code as it stands on the wire.
  public let rawValue: String
  /// A code by its wire form.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The code as it stands on the wire.
  public var description: String { rawValue }
}

extension ErrorCode {
  /// Wrong password, missing `Authorization`, or Google tokens that are refused (see ``ErrorReason``).
  public static let invalidCredentials = ErrorCode(rawValue: "INVALID_CREDENTIALS")
  /// The session token is malformed, wrongly signed, or of a user who is gone.
  public static let invalidToken = ErrorCode(rawValue: "INVALID_TOKEN")
  /// The session token is past its `exp`.
  public static let tokenExpired = ErrorCode(rawValue: "TOKEN_EXPIRED")
  /// Gmail has to be connected again.
  public static let gmailTokenExpired = ErrorCode(rawValue: "GMAIL_TOKEN_EXPIRED")
  /// No account has this e-mail address or id.
  public static let userNotFound = ErrorCode(rawValue: "USER_NOT_FOUND")
  /// The e-mail address already has an account.
  public static let userAlreadyExists = ErrorCode(rawValue: "USER_ALREADY_EXISTS")
  /// The server failed to make or read a session token.
  public static let jwtError = ErrorCode(rawValue: "JWT_ERROR")
  /// The body is not JSON, or not an object.
  public static let invalidJSON = ErrorCode(rawValue: "INVALID_JSON")
  /// A required member is missing; the message names it.
  public static let missingFields = ErrorCode(rawValue: "MISSING_FIELDS")
  /// A member has a value that cannot be taken; the message says which and why.
  public static let invalidRequest = ErrorCode(rawValue: "INVALID_REQUEST")
  /// An invoice could not be read.
  public static let invoiceParseError = ErrorCode(rawValue: "INVOICE_PARSE_ERROR")
  /// Something the server needs (its store, Google) does not answer; try again.
  public static let dependencyFailure = ErrorCode(rawValue: "DEPENDENCY_FAILURE")
  /// The server failed; the message is fixed.
  public static let internalServerError = ErrorCode(rawValue: "INTERNAL_SERVER_ERROR")
  /// No such path.
  public static let notFound = ErrorCode(rawValue: "NOT_FOUND")
  /// The path exists, but not with this method.
  public static let methodNotAllowed = ErrorCode(rawValue: "METHOD_NOT_ALLOWED")
  /// The body is over the limit.
  public static let payloadTooLarge = ErrorCode(rawValue: "PAYLOAD_TOO_LARGE")
  /// The body's media type is not one the endpoint reads.
  public static let unsupportedMediaType = ErrorCode(rawValue: "UNSUPPORTED_MEDIA_TYPE")
  /// The header fields are over the limit.
  public static let headersTooLarge = ErrorCode(rawValue: "HEADERS_TOO_LARGE")
  /// Too many attempts; `Retry-After` says when to come again.
  public static let rateLimited = ErrorCode(rawValue: "RATE_LIMITED")
  /// The operator has not set up Google, or not rightly.
  public static let gmailNotConfigured = ErrorCode(rawValue: "GMAIL_NOT_CONFIGURED")
  /// What a client says of an error without an `error` object; no server sends it.
  public static let unknownError = ErrorCode(rawValue: "UNKNOWN_ERROR")

  /// Every code that a server of this version sends.
  public static let sent: [ErrorCode] = [
    .invalidCredentials, .invalidToken, .tokenExpired, .gmailTokenExpired, .userNotFound, .userAlreadyExists,
    .jwtError, .invalidJSON, .missingFields, .invalidRequest, .invoiceParseError, .dependencyFailure,
    .internalServerError, .notFound, .methodNotAllowed, .payloadTooLarge, .unsupportedMediaType,
    .headersTooLarge, .rateLimited, .gmailNotConfigured,
  ]
}
