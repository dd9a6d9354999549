import FoundationEssentials
import Primitives
import Testing
import WireModels

@Suite("Wire models")
struct WireModelsTests {
  private func json(_ value: some Encodable) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test("data is null, and present, when there is none")
  func nullData() throws {
    let envelope = SuccessEnvelope<NoData>(message: "done", code: 200, data: nil)
    #expect(try json(envelope) == ["message": "done", "code": 200, "data": nil])
  }

  @Test("an envelope without code and with members of a newer server decodes")
  func tolerantEnvelope() throws {
    let text = """
      {"message":"ok","more":1,
       "data":{"google_email":"a@example.com","scope":"s","account_switch":false,"message":"m","new":[1]}}
      """
    let envelope = try decode(SuccessEnvelope<GmailTokensData>.self, text)
    #expect(envelope.code == nil)
    #expect(envelope.data?.googleEmail == "a@example.com")
    #expect(envelope.data?.previousGoogleEmail == nil)
  }

  @Test("an unknown error code and reason decode")
  func openCodes() throws {
    let text = """
      {"error":{"code":"NEW_CODE","message":"m","reason":"new_reason","request_id":"r1","extra":{}}}
      """
    let envelope = try decode(ErrorEnvelope.self, text)
    #expect(envelope.error.code == ErrorCode(rawValue: "NEW_CODE"))
    #expect(envelope.error.reason?.rawValue == "new_reason")
    #expect(envelope.error.requestID == "r1")
  }

  @Test("absent reason and request_id are left out")
  func absentMembers() throws {
    #expect(
      try json(ErrorEnvelope(code: .invalidToken, message: "Malformed Token"))
        == ["error": ["code": "INVALID_TOKEN", "message": "Malformed Token"]])
  }

  @Test("a profile of an older server, without gmail_connection and with a bare date, decodes")
  func oldProfile() throws {
    let text = """
      {"name":"J","email":"j@example.com","created_on":"2024-03-15","gmail_account_connected":true}
      """
    let profile = try decode(ProfileData.self, text)
    #expect(profile.createdOn == "2024-03-15")
    #expect(profile.gmailConnection == nil)
    #expect(try json(profile)["gmail_connection"] == nil)
  }

  @Test("revoked is true, false or pending")
  func revoked() throws {
    for (value, wire): (GmailDisconnectData.Revocation, JSONValue) in [
      (.revoked, true), (.notRevoked, false), (.pending, "pending"),
    ] {
      #expect(try json(GmailDisconnectData(revoked: value)) == .object(["revoked": wire]))
      let text = String(decoding: JSONValue.object(["revoked": wire]).serialized, as: UTF8.self)
      #expect(try decode(GmailDisconnectData.self, text).revoked == value)
    }
  }

  @Test("requests hold their secrets redacted and send them in the clear")
  func secrets() throws {
    let request = GmailTokensRequest(accessToken: Secret("ya29.x"), scope: ["openid"])
    #expect(!"\(request)".contains("ya29"))
    #expect(try json(request) == ["access_token": "ya29.x", "scope": ["openid"]])
    let login = try decode(LoginRequest.self, #"{"email":"e","password":"p4ss"}"#)
    #expect(!String(reflecting: login).contains("p4ss"))
    #expect(try json(login) == ["email": "e", "password": "p4ss"])
  }

  @Test("no two routes share method and path, and only sign-up, sign-in and the probes need no session")
  func routes() {
    #expect(Set(APIRoute.allCases.map { $0.method + " " + $0.path }).count == APIRoute.allCases.count)
    #expect(
      APIRoute.allCases.filter { !$0.needsSession } == [.signup, .login, .health, .readiness, .openAPI])
  }
}
