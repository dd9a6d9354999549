import Primitives

/// Names one grant: new when an upload brings a refresh token or changes the account.
package typealias GrantID = Identifier<OAuthTokens>

/// What is kept secret about a connection: the value of `gmail/user/{user_id}`.
package struct OAuthTokens: Sendable, Hashable {
  /// The newest access token.
  package var accessToken: GoogleAccessToken
  /// The standing key; nil when the device had none to give.
  package var refreshToken: GoogleRefreshToken?
  /// When the access token ends.
  package var expiresAt: Timestamp
  /// How many seconds the access token was good for when it came.
  package var expiresIn: Int64
  /// The scopes that Google granted.
  package var scopes: GrantedScopes
  /// When this value was last written.
  package var writtenAt: Timestamp
  /// Whose mailbox it is.
  package var account: GoogleAccount
  /// The client that the refresh token belongs to; nil in a secret of the older backend.
  package var clientID: GoogleClientID?
  /// The Google that the tokens come from; nil in a secret of the older backend.
  package var googleBaseURL: String?
  /// Names the grant; nil in a secret of the older backend.
  package var grantID: GrantID?
  /// The fencing number of the refresh that wrote this; 0 when an upload did.
  package var fence: Int64

  /// Tokens.
  package init(
    accessToken: GoogleAccessToken, refreshToken: GoogleRefreshToken?, expiresAt: Timestamp, expiresIn: Int64,
    scopes: GrantedScopes, writtenAt: Timestamp, account: GoogleAccount, clientID: GoogleClientID?,
    googleBaseURL: String?, grantID: GrantID?, fence: Int64
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
    self.expiresIn = expiresIn
    self.scopes = scopes
    self.writtenAt = writtenAt
    self.account = account
    self.clientID = clientID
    self.googleBaseURL = googleBaseURL
    self.grantID = grantID
    self.fence = fence
  }
}

extension OAuthTokens: Codable {
  // The names and forms of reference/paypulse C.2, which an older backend wrote and may read again.
  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case expiresAt = "expires_at"
    case expiresIn = "expires_in"
    case scope
    case tokenType = "token_type"
    case createdAt = "created_at"
    case googleUserID = "google_user_id"
    case googleEmail = "google_email"
    case googleName = "google_name"
    case googleVerifiedEmail = "google_verified_email"
    case clientID = "client_id"
    case googleBaseURL = "google_base_url"
    case grantID = "grant_id"
    case fence
  }

  /// Reads a secret; fails when it holds no usable access token.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let access = try values.decode(String.self, forKey: .accessToken)
    let refresh = try values.decodeIfPresent(String.self, forKey: .refreshToken) ?? ""
    guard !access.isEmpty else {
      throw DecodingError.dataCorruptedError(forKey: .accessToken, in: values, debugDescription: "empty")
    }
    // What only describes the tokens must not cost the person a connection that works.
    func lenient<Value: Decodable>(_ type: Value.Type, _ key: CodingKeys) -> Value? {
      (try? values.decodeIfPresent(type, forKey: key)) ?? nil
    }
    // A time that is missing or unreadable counts as past, so that the token is refreshed before use.
    func moment(_ key: CodingKeys) -> Timestamp {
      let text = lenient(String.self, key) ?? ""
      return Timestamp(iso8601: text) ?? Timestamp(microseconds: 0)
    }
    self.init(
      accessToken: GoogleAccessToken(Secret(access)),
      refreshToken: refresh.isEmpty ? nil : GoogleRefreshToken(Secret(refresh)),
      expiresAt: moment(.expiresAt),
      expiresIn: lenient(Int64.self, .expiresIn) ?? 0,
      scopes: GrantedScopes(
        try values.decodeIfPresent(String.self, forKey: .scope) ?? GrantedScopes.gmailReadonly),
      writtenAt: moment(.createdAt),
      account: GoogleAccount(
        subject: GoogleSubject(try values.decodeIfPresent(String.self, forKey: .googleUserID) ?? ""),
        email: lenient(String.self, .googleEmail) ?? "",
        name: lenient(String.self, .googleName) ?? "",
        emailVerified: lenient(Bool.self, .googleVerifiedEmail) ?? false),
      clientID: try values.decodeIfPresent(GoogleClientID.self, forKey: .clientID),
      googleBaseURL: try values.decodeIfPresent(String.self, forKey: .googleBaseURL),
      grantID: try values.decodeIfPresent(GrantID.self, forKey: .grantID),
      fence: try values.decodeIfPresent(Int64.self, forKey: .fence) ?? 0)
  }

  /// Writes the secret; times are naive UTC.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(accessToken.secret.expose(), forKey: .accessToken)
    try values.encodeIfPresent(refreshToken?.secret.expose(), forKey: .refreshToken)
    try values.encode(expiresAt.naiveISO8601, forKey: .expiresAt)
    try values.encode(expiresIn, forKey: .expiresIn)
    try values.encode(scopes.joined, forKey: .scope)
    try values.encode("Bearer", forKey: .tokenType)
    try values.encode(writtenAt.naiveISO8601, forKey: .createdAt)
    try values.encode(account.subject, forKey: .googleUserID)
    try values.encode(account.email, forKey: .googleEmail)
    try values.encode(account.name, forKey: .googleName)
    try values.encode(account.emailVerified, forKey: .googleVerifiedEmail)
    try values.encodeIfPresent(clientID, forKey: .clientID)
    try values.encodeIfPresent(googleBaseURL, forKey: .googleBaseURL)
    try values.encodeIfPresent(grantID, forKey: .grantID)
    try values.encode(fence, forKey: .fence)
  }
}
