import Primitives

/// `data` of `GET /v1/user/me`.
public struct ProfileData: Codable, Sendable, Hashable {
  /// The person's name.
  public var name: String
  /// The account's address.
  public var email: String
  /// When the account was made: ISO 8601 in UTC; from older servers the date alone. Show it, do not compute with it.
  public var createdOn: String
  /// Whether the server holds a usable connection to Gmail.
  public var gmailAccountConnected: Bool
  /// How it stands with that connection; nil from older servers.
  public var gmailConnection: GmailConnectionData?

  private enum CodingKeys: String, CodingKey {
    case name, email
    case createdOn = "created_on"
    case gmailAccountConnected = "gmail_account_connected"
    case gmailConnection = "gmail_connection"
  }

  /// A profile.
  public init(
    name: String, email: String, createdOn: String, gmailAccountConnected: Bool,
    gmailConnection: GmailConnectionData?
  ) {
    self.name = name
    self.email = email
    self.createdOn = createdOn
    self.gmailAccountConnected = gmailAccountConnected
    self.gmailConnection = gmailConnection
  }
}

extension ProfileData: JSONWritable {
  /// Writes the members that are known.
  public func write(to text: inout JSONText) {
    text.object {
      $0.member(CodingKeys.name.rawValue, name)
      $0.member(CodingKeys.email.rawValue, email)
      $0.member(CodingKeys.createdOn.rawValue, createdOn)
      $0.member(CodingKeys.gmailAccountConnected.rawValue, gmailAccountConnected)
      $0.member(CodingKeys.gmailConnection.rawValue, gmailConnection)
    }
  }
}
