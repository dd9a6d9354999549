import Primitives

/// How a connection to Gmail stands, as `gmail_connection.status` says it. Open: an unknown one decodes too.
public struct ConnectionStatus: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The status as it stands on the wire.
  public let rawValue: String
  /// A status by its wire form.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The status as it stands on the wire.
  public var description: String { rawValue }

  /// Never connected, or disconnected.
  public static let notConnected = ConnectionStatus(rawValue: "not_connected")
  /// Works, and renews itself.
  public static let connected = ConnectionStatus(rawValue: "connected")
  /// Works until `works_until`, for want of a refresh token.
  public static let limited = ConnectionStatus(rawValue: "limited")
  /// A Workspace administrator or policy refuses at present.
  public static let blocked = ConnectionStatus(rawValue: "blocked")
  /// Dead: the person has to connect again.
  public static let needsReconnect = ConnectionStatus(rawValue: "needs_reconnect")
}

/// `gmail_connection` of a profile. Times are ISO 8601 in UTC; what is not known is absent.
public struct GmailConnectionData: Codable, Sendable, Hashable {
  /// How it stands.
  public var status: ConnectionStatus
  /// Why it does not work, or not for long.
  public var reason: ErrorReason?
  /// The mailbox's address.
  public var googleEmail: String?
  /// The granted scopes, separated by spaces.
  public var scope: String?
  /// When this Google account was connected.
  public var connectedAt: String?
  /// When Google last gave a fresh access token.
  public var lastRefreshedAt: String?
  /// When it will stop working unless connected again.
  public var worksUntil: String?

  private enum CodingKeys: String, CodingKey {
    case status, reason, scope
    case googleEmail = "google_email"
    case connectedAt = "connected_at"
    case lastRefreshedAt = "last_refreshed_at"
    case worksUntil = "works_until"
  }

  /// A connection's state.
  public init(
    status: ConnectionStatus, reason: ErrorReason? = nil, googleEmail: String? = nil, scope: String? = nil,
    connectedAt: String? = nil, lastRefreshedAt: String? = nil, worksUntil: String? = nil
  ) {
    self.status = status
    self.reason = reason
    self.googleEmail = googleEmail
    self.scope = scope
    self.connectedAt = connectedAt
    self.lastRefreshedAt = lastRefreshedAt
    self.worksUntil = worksUntil
  }
}

extension GmailConnectionData: JSONWritable {
  /// Writes the members that are known.
  public func write(to text: inout JSONText) {
    text.object {
      $0.member(CodingKeys.status.rawValue, status.rawValue)
      $0.member(CodingKeys.reason.rawValue, reason?.rawValue)
      $0.member(CodingKeys.googleEmail.rawValue, googleEmail)
      $0.member(CodingKeys.scope.rawValue, scope)
      $0.member(CodingKeys.connectedAt.rawValue, connectedAt)
      $0.member(CodingKeys.lastRefreshedAt.rawValue, lastRefreshedAt)
      $0.member(CodingKeys.worksUntil.rawValue, worksUntil)
    }
  }
}
