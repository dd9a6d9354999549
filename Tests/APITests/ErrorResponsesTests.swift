import Domain
import FoundationEssentials
import HTTP
import Primitives
import Testing
import WireModels

@testable import API

@Suite("Errors as clients get them")
struct ErrorResponsesTests {
  @Test(
    "each refusal of tokens has its status, code and reason",
    arguments: [
      (ConnectRefusal.accessTokenInvalid, 400, "INVALID_CREDENTIALS", "access_token_invalid"),
      (.wrongAudience, 400, "INVALID_CREDENTIALS", "wrong_audience"),
      (.identityScopeMissing, 400, "INVALID_CREDENTIALS", "identity_scope_missing"),
      (.gmailScopeMissing, 400, "INVALID_CREDENTIALS", "gmail_scope_missing"),
      (.refreshTokenInvalid, 400, "INVALID_CREDENTIALS", "refresh_token_invalid"),
      (.refreshTokenWrongClient, 400, "INVALID_CREDENTIALS", "refresh_token_wrong_client"),
      (.accountMismatch, 400, "INVALID_CREDENTIALS", "account_mismatch"),
      (.blockedByAdmin, 400, "INVALID_CREDENTIALS", "blocked_by_admin"),
      (.googleClientMisconfigured, 503, "GMAIL_NOT_CONFIGURED", "google_client_misconfigured"),
      (.notConfigured, 503, "GMAIL_NOT_CONFIGURED", nil),
      (.googleUnavailable(retryAfter: .seconds(7)), 502, "DEPENDENCY_FAILURE", nil),
      (.store(.unavailable), 502, "DEPENDENCY_FAILURE", nil),
      (.store(.noSuchUser), 401, "INVALID_TOKEN", nil),
    ] as [(ConnectRefusal, Int, String, String?)])
  func connectRefusals(refusal: ConnectRefusal, status: Int, code: String, reason: String?) {
    let error = ErrorResponse(refusal)
    #expect(error.status == status)
    #expect(error.code.rawValue == code)
    #expect(error.reason?.rawValue == reason)
  }

  @Test("the envelope carries code, message and the request's id, and no cache keeps it")
  func envelope() throws {
    let request = HTTPRequest(method: .get, path: "/", id: "abc")
    let response = ErrorResponse(ConnectRefusal.gmailScopeMissing).response(to: request)
    let json = try JSONDecoder().decode(JSONValue.self, from: Data(response.body))
    #expect(Set(json.object?.keys.map(\.self) ?? []) == ["error"])
    #expect(json["error"]?["request_id"] == "abc")
    #expect(json["error"]?["reason"] == "gmail_scope_missing")
    #expect(json["error"]?["message"]?.string?.contains("tick") ?? false)
    #expect(response.fields["Content-Type"] == "application/json")
    #expect(response.fields["Cache-Control"] == "no-store")
  }

  @Test("who is told to come again is told when, in whole seconds of at least one")
  func retryAfter() {
    func header(_ wait: Duration) -> String? {
      ErrorResponse(ConnectRefusal.googleUnavailable(retryAfter: wait)).response(
        to: HTTPRequest(method: .get, path: "/")
      )
      .fields["Retry-After"]
    }
    #expect(header(.seconds(7)) == "7")
    #expect(header(.milliseconds(3)) == "1")
  }

  @Test("401 names the scheme, 405 the methods that there are")
  func requiredFields() {
    let request = HTTPRequest(method: .get, path: "/")
    #expect(ErrorResponse.missingCredentials.response(to: request).fields["WWW-Authenticate"] == "Bearer")
    #expect(
      ErrorResponse.methodNotAllowed([.get, .delete]).response(to: request).fields["Allow"] == "GET, DELETE")
  }

  @Test(
    "bytes that are no request get the contract's envelope too",
    arguments: [400, 408, 413, 414, 417, 431, 501, 503, 505])
  func transport(status: Int) throws {
    let response = ErrorResponse.transport(status, requestID: "r1")
    #expect(response.status == status)
    let json = try JSONDecoder().decode(JSONValue.self, from: Data(response.body))
    #expect(json["error"]?["code"]?.string?.isEmpty == false)
    #expect(json["error"]?["request_id"] == "r1")
  }
}
