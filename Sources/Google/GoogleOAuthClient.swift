import Domain
import HTTP
import Primitives

/// Google's OAuth endpoints as a public client without a secret uses them.
package struct GoogleOAuthClient: GoogleOAuth {
  private let calls: GoogleCalls
  private let endpoints: GoogleEndpoints
  private let log: Log

  /// Seconds that a token is taken to live when Google does not say: short, so that it is soon asked again.
  static let unknownLifetime: Int64 = 300
  /// The longest life believed, in seconds.
  static let longestLifetime: Int64 = 86_400

  /// Calls Google at `endpoints` through `client`.
  package init(client: any HTTPClient, endpoints: GoogleEndpoints, log: Log) {
    self.calls = GoogleCalls(client: client)
    self.endpoints = endpoints
    self.log = log
  }

  /// Whom and what the token is for. Google answers numbers and flags as texts here.
  package func tokenInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> TokenInfo {
    let answer = try await calls.post(endpoints.tokenInfo, [("access_token", token.secret.expose())])
    guard answer.isSuccess else { throw Self.refusalOfToken(answer) }
    let json = answer.json
    return TokenInfo(
      audience: json["aud"]?.filledString.map { GoogleClientID($0) },
      authorizedParty: json["azp"]?.filledString.map { GoogleClientID($0) },
      subject: json["sub"]?.filledString.map { GoogleSubject($0) },
      scopes: GrantedScopes(json["scope"]?.string ?? ""), expiresIn: lifetime(json["expires_in"]),
      email: json["email"]?.filledString)
  }

  /// The account behind the token. `id` and `verified_email` are the older names of the same facts.
  package func userInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> UserInfo {
    let answer = try await calls.get(endpoints.userInfo, token)
    guard answer.isSuccess else { throw Self.refusalOfToken(answer) }
    let json = answer.json
    return UserInfo(
      subject: (json["sub"] ?? json["id"])?.filledString.map { GoogleSubject($0) },
      email: json["email"]?.filledString, name: json["name"]?.filledString,
      emailVerified: (json["email_verified"] ?? json["verified_email"])?.lenientFlag ?? false)
  }

  /// A fresh access token. No scope is sent: one that is wider than the grant would be refused.
  package func refresh(_ token: GoogleRefreshToken, clientID: GoogleClientID, timeout: Duration)
    async throws(GoogleError) -> TokenReply
  {
    let answer = try await calls.post(
      endpoints.token,
      [
        ("grant_type", "refresh_token"), ("refresh_token", token.secret.expose()),
        ("client_id", clientID.rawValue),
      ], timeout: timeout)
    guard answer.isSuccess else { throw Self.refusalOfGrant(answer) }
    let json = answer.json
    guard let access = json["access_token"]?.tokenText else { throw answer.unexpected }
    return TokenReply(
      accessToken: GoogleAccessToken(Secret(access)), expiresIn: lifetime(json["expires_in"]),
      refreshToken: json["refresh_token"]?.tokenText.map { GoogleRefreshToken(Secret($0)) },
      scopes: json["scope"]?.filledString.map { GrantedScopes($0) },
      identity: json["id_token"]?.string.flatMap(Self.identity),
      refreshTokenExpiresIn: json["refresh_token_expires_in"]?.lenientInteger.map { min(max($0, 0), 1 << 40) }
    )
  }

  /// Kills the grant. 400 `invalid_token` means that it is dead already: done.
  package func revoke(_ token: Secret) async throws(GoogleError) {
    let answer = try await calls.post(endpoints.revoke, [("token", token.expose())], mayBeEmpty: true)
    guard answer.isSuccess || answer.oauthError == "invalid_token" else { throw answer.unexpected }
  }

  // MARK: Errors

  private static func refusalOfToken(_ answer: GoogleAnswer) -> GoogleError {
    switch answer.status {
    case 400, 401: .invalidToken
    case 403: .insufficientScope
    default: answer.unexpected
    }
  }

  private static func refusalOfGrant(_ answer: GoogleAnswer) -> GoogleError {
    guard [400, 401, 403].contains(answer.status) else { return answer.unexpected }
    switch answer.oauthError {
    case "invalid_grant":
      let subtype = answer.json["error_subtype"]?.string
      return .refused(.invalidGrant(rapt: subtype == "invalid_rapt" || subtype == "rapt_required"))
    case "admin_policy_enforced": return .refused(.adminPolicyEnforced)
    case "access_denied": return .refused(.accessDenied)
    case "unauthorized_client": return .refused(.unauthorizedClient)
    case "invalid_client", "deleted_client", "disabled_client", "invalid_request", "invalid_scope",
      "unsupported_grant_type":
      return .refused(.clientMisconfigured)
    default: return answer.unexpected
    }
  }

  // MARK: Reading

  /// Seconds of life: none or nonsense means a short one, and a line in the log; never over a day.
  private func lifetime(_ value: JSONValue?) -> Int64 {
    guard let seconds = value?.lenientInteger else {
      log.warning("google_reply_without_lifetime")
      return Self.unknownLifetime
    }
    return min(max(seconds, 0), Self.longestLifetime)
  }

  /// The account and audience that an ID token names. It came straight from Google over TLS, so that neither
  /// its signature nor its times say more (OpenID Connect Core section 3.1.3.7, point 6).
  private static func identity(_ token: String) -> IdentityClaims? {
    let payload = token.withContiguousUTF8 { bytes in
      let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      return parts.count == 3 ? Base64URL.decode(parts[1]) : nil
    }
    guard let payload, let claims = JSONValue(json: payload),
      let subject = claims["sub"]?.filledString
    else { return nil }
    let audience = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
    return IdentityClaims(subject: GoogleSubject(subject), audience: audience.map { GoogleClientID($0) })
  }
}
