import WireModels

/// How a connect ended, short of an error.
public enum ConnectOutcome: Sendable, Hashable {
  /// The server has the connection. `accountSwitch` in it says whether another mailbox was connected before.
  case connected(GmailTokensData)
  /// The person signed in at Google but left reading mail unticked. Nothing was handed over; ask again with
  /// ``GmailConnector/askAgain(_:in:)``.
  case mailPermissionMissing(MissingMailPermission)
}

/// A consent without the permission to read mail.
public struct MissingMailPermission: Sendable, Hashable {
  /// The Google account's address, where Google told it.
  public var email: String?
  /// The Google account's stable id, where Google told it.
  public var subject: String?
  /// What was granted instead.
  public var grantedScopes: [String]

  /// What `grant` lacks.
  init(_ grant: GoogleGrant) {
    email = grant.email
    subject = grant.subject
    grantedScopes = grant.grantedScopes ?? []
  }
}

/// Why Gmail was not connected. Safe to print.
public enum ConnectError: Error, Sendable, Hashable {
  /// Google gave no tokens. When `kept`, the device holds what it needs to go on by itself later.
  case google(AuthorizationError, kept: Bool)
  /// The server did not take them. When `kept`, the device holds them and delivers them later.
  case server(APIError, kept: Bool)
  /// What the device held is too old to be of use, and was erased: connect again.
  case expired
  /// The device cannot keep what the flow needs.
  case storage(StorageError)
}
