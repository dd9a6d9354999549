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

extension OAuthTokens {
  // The names and forms of reference/paypulse C.2, which an older backend wrote and may read again.
  private enum Key: String {
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

  /// A secret that holds no usable tokens.
  package struct Unusable: Error {}

  /// Reads the members of a secret; fails when they hold no usable access token.
  package init(members: [String: JSONValue]) throws(Unusable) {
    func value(_ key: Key) -> JSONValue? { members[key.rawValue] }
    func text(_ key: Key) throws(Unusable) -> String? {
      switch value(key) {
      case nil, .null?: nil
      case .string(let text)?: text
      default: throw Unusable()
      }
    }
    guard let access = try text(.accessToken), !access.isEmpty else { throw Unusable() }
    let refresh = try text(.refreshToken) ?? ""
    let fence = value(.fence) ?? .null
    guard fence == .null || fence.integer != nil else { throw Unusable() }
    // A time that is missing or unreadable counts as past, so that the token is refreshed before use.
    func moment(_ key: Key) -> Timestamp {
      Timestamp(iso8601: value(key)?.string ?? "") ?? Timestamp(microseconds: 0)
    }
    // What only describes the tokens must not cost the person a connection that works.
    self.init(
      accessToken: GoogleAccessToken(Secret(access)),
      refreshToken: refresh.isEmpty ? nil : GoogleRefreshToken(Secret(refresh)),
      expiresAt: moment(.expiresAt), expiresIn: value(.expiresIn)?.integer ?? 0,
      scopes: GrantedScopes(try text(.scope) ?? GrantedScopes.gmailReadonly), writtenAt: moment(.createdAt),
      account: GoogleAccount(
        subject: GoogleSubject(try text(.googleUserID) ?? ""), email: value(.googleEmail)?.string ?? "",
        name: value(.googleName)?.string ?? "", emailVerified: value(.googleVerifiedEmail)?.bool ?? false),
      clientID: try text(.clientID).map { GoogleClientID($0) }, googleBaseURL: try text(.googleBaseURL),
      grantID: try text(.grantID).map { GrantID($0) }, fence: fence.integer ?? 0)
  }

  /// The secret's value as JSON, for an adapter to keep; times are naive UTC.
  package var json: [UInt8] {
    var text = JSONText(capacity: 1024)
    text.object {
      $0.member(Key.accessToken.rawValue, accessToken.secret.expose())
      $0.member(Key.refreshToken.rawValue, refreshToken?.secret.expose())
      $0.member(Key.expiresAt.rawValue, expiresAt.naiveISO8601)
      $0.member(Key.expiresIn.rawValue, expiresIn)
      $0.member(Key.scope.rawValue, scopes.joined)
      $0.member(Key.tokenType.rawValue, "Bearer")
      $0.member(Key.createdAt.rawValue, writtenAt.naiveISO8601)
      $0.member(Key.googleUserID.rawValue, account.subject.rawValue)
      $0.member(Key.googleEmail.rawValue, account.email)
      $0.member(Key.googleName.rawValue, account.name)
      $0.member(Key.googleVerifiedEmail.rawValue, account.emailVerified)
      $0.member(Key.clientID.rawValue, clientID?.rawValue)
      $0.member(Key.googleBaseURL.rawValue, googleBaseURL)
      $0.member(Key.grantID.rawValue, grantID?.rawValue)
      $0.member(Key.fence.rawValue, fence)
    }
    return text.bytes
  }
}
