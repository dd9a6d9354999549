import Primitives

/// What Google granted to the device.
public struct GoogleGrant: Sendable, Hashable {
  /// The access token.
  public var accessToken: Secret
  /// The refresh token; nil when none came.
  public var refreshToken: Secret?
  /// When the device got the access token, by its own clock.
  public var obtainedAt: Timestamp
  /// When the access token ends, by the same clock.
  public var expiresAt: Timestamp
  /// The granted scopes by Google's answer, not by the question; nil when the answer names none.
  public var grantedScopes: [String]?
  /// The account's address by its ID token; a hint for people.
  public var email: String?
  /// The account's stable id (`sub`) by its ID token.
  public var subject: String?
  /// The client that the grant was made to.
  public var clientID: String
  /// Where it was made.
  public var endpoints: GoogleEndpoints

  /// A grant. An empty refresh token counts as none.
  public init(
    accessToken: Secret, refreshToken: Secret?, obtainedAt: Timestamp, expiresAt: Timestamp,
    grantedScopes: [String]?,
    email: String? = nil, subject: String? = nil, clientID: String, endpoints: GoogleEndpoints
  ) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken.flatMap { $0.isEmpty ? nil : $0 }
    self.obtainedAt = obtainedAt
    self.expiresAt = expiresAt
    self.grantedScopes = grantedScopes
    self.email = email
    self.subject = subject
    self.clientID = clientID
    self.endpoints = endpoints
  }

  /// Whether the answer names scopes, and none of them reads mail.
  public var lacksMailPermission: Bool { grantedScopes.map { !MailPermission.isGranted(in: $0) } ?? false }

  /// Whether the access token is too old to hand over at `moment`. A clock that was set back tells nothing,
  /// so then it counts as old.
  func isOld(at moment: Timestamp) -> Bool { expiresAt <= moment + .seconds(60) || moment < obtainedAt }
}

extension GoogleGrant {
  /// The grant for a file or the Keychain, its tokens in the clear.
  var stored: JSONValue {
    var members: [String: JSONValue] = [
      "access_token": .string(accessToken.expose()), "obtained_at": .integer(obtainedAt.seconds),
      "expires_at": .integer(expiresAt.seconds), "client_id": .string(clientID),
    ]
    members["refresh_token"] = refreshToken.map { .string($0.expose()) }
    members["granted_scopes"] = grantedScopes.map { .array($0.map { .string($0) }) }
    members["email"] = email.map { .string($0) }
    members["subject"] = subject.map { .string($0) }
    members["google_base_url"] = endpoints.baseURL.map { .string($0) }
    return .object(members)
  }

  /// What ``stored`` gave; nil when it is something else.
  init?(stored: JSONValue) {
    guard let accessToken = stored["access_token"]?.string, let obtainedAt = stored["obtained_at"]?.integer,
      let expiresAt = stored["expires_at"]?.integer, let clientID = stored["client_id"]?.string
    else { return nil }
    self.init(
      accessToken: Secret(accessToken), refreshToken: stored["refresh_token"]?.string.map { Secret($0) },
      obtainedAt: Timestamp(seconds: obtainedAt), expiresAt: Timestamp(seconds: expiresAt),
      grantedScopes: stored["granted_scopes"]?.array?.compactMap(\.string), email: stored["email"]?.string,
      subject: stored["subject"]?.string, clientID: clientID,
      endpoints: GoogleEndpoints(baseURL: stored["google_base_url"]?.string))
  }
}
