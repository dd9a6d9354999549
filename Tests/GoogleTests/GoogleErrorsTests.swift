import Domain
import Google
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("GoogleOAuthClient: errors of the token and revocation endpoints")
struct GoogleErrorsTests {
  private func google(_ http: ScriptedHTTPClient) -> GoogleOAuthClient {
    GoogleOAuthClient(client: http, endpoints: GoogleEndpoints(baseURL: nil), log: .silent)
  }

  private func refresh(_ http: ScriptedHTTPClient) async throws -> TokenReply {
    try await google(http).refresh(
      GoogleRefreshToken(Secret("1//r")), clientID: GoogleClientID("c"), timeout: .seconds(3))
  }

  /// Every row of the reference's table of errors: status, `error`, other members, and what it means.
  static let rows: [(Int, String, String, GoogleError)] = [
    (
      400, "invalid_grant", #","error_description":"Token has been expired or revoked.""#,
      .refused(.invalidGrant(rapt: false))
    ),
    (400, "invalid_grant", #","error_description":"Bad Request""#, .refused(.invalidGrant(rapt: false))),
    (400, "invalid_grant", "", .refused(.invalidGrant(rapt: false))),
    (400, "invalid_grant", #","error_description":"internal_failure""#, .refused(.invalidGrant(rapt: false))),
    (400, "invalid_grant", #","error_subtype":"invalid_rapt""#, .refused(.invalidGrant(rapt: true))),
    (400, "invalid_grant", #","error_subtype":"rapt_required""#, .refused(.invalidGrant(rapt: true))),
    (
      400, "invalid_grant", #","error_description":"reauth related error (invalid_rapt)""#,
      .refused(.invalidGrant(rapt: false))
    ),
    (
      400, "invalid_grant", #","error_description":"Account has been deleted""#,
      .refused(.invalidGrant(rapt: false))
    ),
    (
      400, "invalid_request", #","error_description":"client_secret is missing.""#,
      .refused(.clientMisconfigured)
    ),
    (400, "invalid_request", #","error_description":"invalid_grant""#, .refused(.clientMisconfigured)),
    (400, "invalid_scope", "", .refused(.clientMisconfigured)),
    (400, "unsupported_grant_type", "", .refused(.clientMisconfigured)),
    (400, "admin_policy_enforced", #","error_description":"&lt;b&gt;""#, .refused(.adminPolicyEnforced)),
    (400, "access_denied", #","error_description":"Account restricted""#, .refused(.accessDenied)),
    (
      401, "access_denied", #","error_description":"Requested client not authorized""#,
      .refused(.accessDenied)
    ),
    (
      401, "invalid_client", #","error_description":"The OAuth client was not found.""#,
      .refused(.clientMisconfigured)
    ),
    (401, "unauthorized_client", #","error_description":"Unauthorized""#, .refused(.unauthorizedClient)),
    (401, "deleted_client", "", .refused(.clientMisconfigured)),
    (401, "disabled_client", "", .refused(.clientMisconfigured)),
    (403, "access_denied", "", .refused(.accessDenied)),
    (403, "rate_limit_exceeded", "", .unavailable(retryAfter: nil)),
    (429, "rate_limit_exceeded", "", .unavailable(retryAfter: nil)),
    (429, "invalid_grant", "", .unavailable(retryAfter: nil)),
    (500, "internal_failure", "", .unavailable(retryAfter: nil)),
    (500, "invalid_grant", "", .unavailable(retryAfter: nil)),
    (503, "invalid_client", "", .unavailable(retryAfter: nil)),
    (400, "internal_failure", "", .unavailable(retryAfter: nil)),
    (400, "server_error", "", .unavailable(retryAfter: nil)),
    (400, "temporarily_unavailable", "", .unavailable(retryAfter: nil)),
    (400, "invalid_dpop_proof", "", .unavailable(retryAfter: nil)),
    (400, "Invalid_Grant", "", .unavailable(retryAfter: nil)),
    (404, "invalid_grant", "", .unavailable(retryAfter: nil)),
    (408, "invalid_grant", "", .unavailable(retryAfter: nil)),
  ]

  @Test("3.4: outcomes go by status and the error field, never by a text", arguments: rows)
  func refusals(status: Int, error: String, more: String, meaning: GoogleError) async {
    let http = ScriptedHTTPClient(status, #"{"error":"\#(error)"\#(more)}"#)
    await #expect(throws: meaning) { try await refresh(http) }
  }

  @Test(
    "E7, E8: a refusal in HTML, or in any other shape, is for later, whatever its status",
    arguments: [
      (403, "<html><body>Sorry... automated queries invalid_grant</body></html>"), (400, "invalid_grant"),
      (401, ""),
      (400, #"{"error":{"status":"UNAUTHENTICATED","message":"invalid_grant"}}"#),
      (400, #"["invalid_grant"]"#),
      (400, #"{"error":["invalid_grant"]}"#), (400, "{}"), (400, #"{"error":null}"#), (403, #"{"error":"#),
    ])
  func otherShapes(status: Int, body: String) async {
    await #expect(throws: GoogleError.unavailable(retryAfter: nil)) {
      try await refresh(ScriptedHTTPClient(status, body))
    }
  }

  @Test(
    "No answer is for later",
    arguments: [
      HTTPClientError.invalidURL, .unreachable, .timedOut, .connectionLost, .responseTooLarge, .cancelled,
    ])
  func noAnswer(error: HTTPClientError) async {
    let http = ScriptedHTTPClient { _ in .failure(error) }
    await #expect(throws: GoogleError.unavailable(retryAfter: nil)) { try await refresh(http) }
    await #expect(throws: GoogleError.unavailable(retryAfter: nil)) {
      try await google(http).revoke(Secret("t"))
    }
  }

  @Test(
    "Retry-After is passed on, within an hour; one that is a date or junk is not",
    arguments: [
      ("7", Duration?.some(.seconds(7))), ("0", .seconds(0)), ("-7", .seconds(0)),
      ("99999999", .seconds(3600)),
      ("Wed, 21 Oct 2015 07:28:00 GMT", nil), ("soon", nil), ("99999999999999999999999", nil),
    ])
  func retryAfter(field: String, wait: Duration?) async {
    let http = ScriptedHTTPClient(429, "{}", fields: ["retry-after": field])
    await #expect(throws: GoogleError.unavailable(retryAfter: wait)) { try await refresh(http) }
  }

  @Test(
    "Revoking: 200 with or without a body is done, and so is a token that is dead already",
    arguments: [
      (200, ""), (200, "{}"), (204, ""),
      (400, #"{"error":"invalid_token","error_description":"Token expired or revoked"}"#),
    ])
  func revoked(status: Int, body: String) async throws {
    try await google(ScriptedHTTPClient(status, body)).revoke(Secret("1//r"))
  }

  @Test(
    "Revoking: anything else is for later",
    arguments: [
      (400, #"{"error":"invalid_request"}"#), (400, ""), (404, "Not Found"), (403, "<html>"), (429, "{}"),
      (500, ""),
      (503, #"{"error":"invalid_token"}"#),
    ])
  func notRevoked(status: Int, body: String) async {
    let http = ScriptedHTTPClient(status, body)
    await #expect(throws: GoogleError.unavailable(retryAfter: nil)) {
      try await google(http).revoke(Secret("1//r"))
    }
  }
}
