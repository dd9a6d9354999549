import Primitives

/// The body of `POST /v1/auth/gmail-tokens`, as the kit writes it. A server reads this body leniently (forms,
/// texts for numbers), which is why this type does not decode.
public struct GmailTokensRequest: Encodable, Sendable, Hashable {
  /// Google's access token.
  public var accessToken: Secret
  /// Google's refresh token, when one came.
  public var refreshToken: Secret?
  /// The access token's remaining life in seconds.
  public var expiresIn: Int?
  /// The granted scopes.
  public var scope: [String]
  /// The Google account's address as the device knows it; a hint that is never trusted.
  public var email: String?

  private enum CodingKeys: String, CodingKey {
    case scope, email
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case expiresIn = "expires_in"
  }

  /// Tokens to hand over.
  public init(
    accessToken: Secret, refreshToken: Secret? = nil, expiresIn: Int? = nil, scope: [String],
    email: String? = nil
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresIn = expiresIn
    self.scope = scope
    self.email = email
  }

  /// Writes the members, the tokens in the clear; what is absent is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(accessToken.expose(), forKey: .accessToken)
    try container.encodeIfPresent(refreshToken?.expose(), forKey: .refreshToken)
    try container.encodeIfPresent(expiresIn, forKey: .expiresIn)
    try container.encode(scope, forKey: .scope)
    try container.encodeIfPresent(email, forKey: .email)
  }
}
