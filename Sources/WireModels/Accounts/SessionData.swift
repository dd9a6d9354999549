import Primitives

/// `data` of a sign-up or sign-in: the session.
public struct SessionData: Codable, Sendable, Hashable {
  /// The person's name.
  public var username: String
  /// The session token (a JWT).
  public var accessToken: Secret
  /// The scheme to send it with: `Bearer`.
  public var tokenType: String

  private enum CodingKeys: String, CodingKey {
    case username
    case accessToken = "access_token"
    case tokenType = "token_type"
  }

  /// A session.
  public init(username: String, accessToken: Secret, tokenType: String = "Bearer") {
    self.username = username
    self.accessToken = accessToken
    self.tokenType = tokenType
  }

  /// Reads the session; without `token_type` it is `Bearer`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    username = try container.decode(String.self, forKey: .username)
    accessToken = Secret(try container.decode(String.self, forKey: .accessToken))
    tokenType = try container.decodeIfPresent(String.self, forKey: .tokenType) ?? "Bearer"
  }

  /// Writes the session, its token in the clear.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(username, forKey: .username)
    try container.encode(accessToken.expose(), forKey: .accessToken)
    try container.encode(tokenType, forKey: .tokenType)
  }
}

extension SessionData: JSONWritable {
  /// Writes the session, its token in the clear.
  public func write(to text: inout JSONText) {
    text.object {
      $0.member(CodingKeys.username.rawValue, username)
      $0.member(CodingKeys.accessToken.rawValue, accessToken.expose())
      $0.member(CodingKeys.tokenType.rawValue, tokenType)
    }
  }
}
