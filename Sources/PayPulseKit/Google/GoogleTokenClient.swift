import HTTP
import Primitives

/// Google's token endpoint, as a public client uses it: there is no client secret, and no place for one.
public struct GoogleTokenClient: Sendable {
  private let http: any HTTPClient
  private let retries: RetryPolicy
  private let timeout: Duration
  private let time: TimeSource
  private let random: RandomSource

  /// A client that sends by `http`; `timeout` holds for one attempt.
  public init(
    http: any HTTPClient, retries: RetryPolicy = RetryPolicy(firstDelay: .seconds(1)),
    timeout: Duration = .seconds(15), time: TimeSource = .system, random: RandomSource = .system
  ) {
    self.http = http
    self.retries = retries
    self.timeout = timeout
    self.time = time
    self.random = random
  }

  /// Redeems `code` (RFC 6749 section 4.1.3, RFC 7636 section 4.5). A broken network is tried again: when Google had
  /// redeemed it after all, the answer is ``AuthorizationError/grantRefused``.
  public func exchange(_ code: Secret, of attempt: AuthorizationAttempt) async throws(AuthorizationError)
    -> GoogleGrant
  {
    let reply = try await send(
      [
        ("grant_type", "authorization_code"), ("code", code.expose()), ("client_id", attempt.clientID),
        ("redirect_uri", attempt.redirectURI), ("code_verifier", attempt.verifier.expose()),
      ], to: attempt.endpoints)
    var grant = try grant(in: reply, clientID: attempt.clientID, endpoints: attempt.endpoints)
    if let claims = try idTokenClaims(in: reply, clientID: attempt.clientID) {
      guard claims["nonce"]?.string == attempt.nonce.expose() else { throw .notOurs(.nonce) }
      grant.email = claims["email"]?.string
      grant.subject = claims["sub"]?.string
    }
    return grant
  }

  /// A fresh access token for `grant` (RFC 6749 section 6): no `scope` is sent, since it could only narrow or fail.
  /// Google's reply normally carries no refresh token, and then the old one stays.
  public func refresh(_ grant: GoogleGrant) async throws(AuthorizationError) -> GoogleGrant {
    guard let refreshToken = grant.refreshToken else { throw .grantRefused }
    let reply = try await send(
      [
        ("grant_type", "refresh_token"), ("refresh_token", refreshToken.expose()),
        ("client_id", grant.clientID),
      ], to: grant.endpoints)
    var fresh = try self.grant(in: reply, clientID: grant.clientID, endpoints: grant.endpoints)
    fresh.refreshToken = fresh.refreshToken ?? refreshToken
    fresh.grantedScopes = fresh.grantedScopes ?? grant.grantedScopes
    fresh.email = grant.email
    fresh.subject = grant.subject
    return fresh
  }

  private func send(_ form: [(String, String)], to endpoints: GoogleEndpoints)
    async throws(AuthorizationError)
    -> JSONValue
  {
    let request = HTTPClientRequest(
      method: .post, url: endpoints.token,
      fields: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
      body: FormCoding.encoded(form), timeout: timeout)
    var attempt = 1
    while true {
      var retryAfter: Int?
      let failure: AuthorizationError
      do throws(HTTPClientError) {
        let response = try await http.send(request)
        do throws(AuthorizationError) { return try Self.reply(in: response) } catch { failure = error }
        retryAfter = RetryPolicy.retryAfter(of: response)
      } catch {
        failure = .network(error)
      }
      attempt += 1
      guard failure.isWorthRepeating,
        let wait = retries.delay(before: attempt, retryAfter: retryAfter, random: random)
      else { throw failure }
      do { try await time.sleep(wait) } catch { throw .network(.cancelled) }
    }
  }

  /// The JSON of a 200, or what the error means. A 403 with a page in place of JSON is Google's throttle.
  private static func reply(in response: HTTPResponse) throws(AuthorizationError) -> JSONValue {
    let body = JSONCoding.decode(JSONValue.self, from: response.body)
    if response.status == 200, let body, body.object != nil { return body }
    if (400..<500).contains(response.status), response.status != 429, let code = body?["error"]?.string {
      throw AuthorizationError(oauthError: code, atTokenEndpoint: true)
    }
    switch response.status {
    case 403, 408, 429, 500...: throw .unavailable(status: response.status)
    default: throw .invalidReply
    }
  }

  private func grant(in reply: JSONValue, clientID: String, endpoints: GoogleEndpoints)
    throws(AuthorizationError)
    -> GoogleGrant
  {
    guard let accessToken = reply["access_token"]?.string, !accessToken.isEmpty else { throw .invalidReply }
    let now = time.now()
    return GoogleGrant(
      accessToken: Secret(accessToken), refreshToken: reply["refresh_token"]?.string.map { Secret($0) },
      obtainedAt: now, expiresAt: now + .seconds(Self.lifetime(reply["expires_in"])),
      grantedScopes: reply["scope"]?.string.map { $0.split(separator: " ").map(String.init) },
      clientID: clientID, endpoints: endpoints)
  }

  /// The claims of the reply's ID token. It came from Google over TLS, so its signature need not be checked
  /// (OpenID Connect Core section 3.1.3.7, rule 6), but it must be for us.
  private func idTokenClaims(in reply: JSONValue, clientID: String) throws(AuthorizationError) -> JSONValue? {
    guard let token = reply["id_token"]?.string else { return nil }
    guard let claims = JWTPayload.claims(of: Secret(token)) else { throw .invalidReply }
    let audiences = claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string].compactMap { $0 }
    guard audiences.contains(clientID) else { throw .notOurs(.audience) }
    return claims
  }

  /// Seconds in `expires_in`, as a number or a text; one hour when it is missing or senseless, a day at most.
  private static func lifetime(_ value: JSONValue?) -> Int64 {
    let seconds: Double? =
      switch value {
      case .integer(let number): Double(number)
      case .number(let number): number
      case .string(let text): Double(text)
      default: nil
      }
    guard let seconds, seconds.isFinite else { return 3600 }
    return Int64(min(max(seconds, 0), 86400))
  }
}

extension AuthorizationError {
  /// Whether the token endpoint may be asked the same at once again.
  fileprivate var isWorthRepeating: Bool {
    switch self {
    case .network(let error): error.isPassing
    case .unavailable: true
    default: false
    }
  }
}
