import Domain
import HTTP
import Primitives
import Testing
import WireModels

@testable import API

@Suite("3.1, rule 1: reading an upload")
struct GmailTokensBodyTests {
  private func read(_ body: String, type: String? = "application/json") throws(ErrorResponse)
    -> UploadedTokens
  {
    var fields = HTTPFields()
    fields["Content-Type"] = type
    return try GmailTokensBody.read(
      HTTPRequest(method: .post, path: "/", fields: fields, body: Array(body.utf8)))
  }

  private func refusal(_ body: String, type: String? = "application/json") -> ErrorResponse? {
    do throws(ErrorResponse) {
      _ = try read(body, type: type)
      return nil
    } catch { return error }
  }

  @Test(
    "no refresh token, null and an empty one all mean that none was supplied",
    arguments: ["", #","refresh_token":null"#, #","refresh_token":"""#])
  func missingRefreshToken(member: String) throws {
    #expect(try read(#"{"access_token":"ya29.a"\#(member)}"#).refreshToken == nil)
  }

  @Test(
    "a lifetime is a number or numeric text from 1 to 86400 after flooring",
    arguments: ["3600", "1", "86400", "3600.9", #""3600""#, #""86400.5""#, "null", "1e3"])
  func lifetime(value: String) throws {
    #expect(refusal(#"{"access_token":"a","expires_in":\#(value)}"#) == nil)
  }

  @Test(
    "any other lifetime is 400 INVALID_REQUEST",
    arguments: [
      "0", "-5", "0.9", "86401", #""abc""#, #""""#, "true", "[]", "{}", "1e300", #""0x10""#, #""inf""#,
      #""nan""#, #""1 2""#,
    ])
  func badLifetime(value: String) throws {
    let refused = try #require(self.refusal(#"{"access_token":"a","expires_in":\#(value)}"#))
    #expect(refused.status == 400 && refused.code == .invalidRequest)
  }

  @Test(
    "G6: scopes come as array, text with spaces or commas, null, or not at all",
    arguments: [
      (#"["a","b"]"#, ["a", "b"]), (#""a b""#, ["a", "b"]), (#""a,b""#, ["a", "b"]),
      (#""a  b""#, ["a", "b"]), (#""""#, []), ("null", []),
    ])
  func scopes(value: String, expected: [String]) throws {
    #expect(try read(#"{"access_token":"a","scope":\#(value)}"#).scopes.values == expected)
  }

  @Test("the shipped app's form is read, unknown members and all")
  func form() throws {
    let body =
      "access_token=ya29.a&refresh_token=1%2F%2Fr&expires_in=3600&email=a%40b.c&username=A&token_type=Bearer"
      + "&scope%5B%5D=s1&scope%5B%5D=s2&client_info%5Bplatform%5D=iOS&client_info%5BappVersion%5D=1"
    let tokens = try read(body, type: "application/x-www-form-urlencoded; charset=utf-8")
    #expect(tokens.accessToken.secret.expose() == "ya29.a")
    #expect(tokens.refreshToken?.secret.expose() == "1//r")
    #expect(tokens.scopes.values == ["s1", "s2"])
  }

  @Test("an access token that is missing, empty or no token is told apart")
  func accessToken() throws {
    #expect(refusal("{}")?.code == .missingFields)
    #expect(refusal(#"{"access_token":null}"#)?.code == .missingFields)
    #expect(refusal("")?.message == "Missing required field in request body: 'access_token'")
    #expect(refusal(#"{"access_token":5}"#)?.code == .invalidRequest)
    for text in ["", "a b", "a\\r\\nX: y", "ä"] {
      #expect(refusal(#"{"access_token":"\#(text)"}"#)?.reason == .accessTokenInvalid)
    }
    #expect(refusal(#"{"access_token":"a","refresh_token":"b c"}"#)?.reason == .refreshTokenInvalid)
  }

  @Test("A12: an authorization code is no token, and the answer names what is missing")
  func serverAuthCode() {
    #expect(
      refusal(#"{"server_auth_code":"4/abc"}"#)?.message
        == "Missing required field in request body: 'access_token'")
  }

  @Test(
    "what is no JSON object is refused without a 500",
    arguments: ["null", "[]", "5", "{bad", "\u{0}", #"{"access_token":"a",}"#])
  func notAnObject(body: String) throws {
    let refused = try #require(self.refusal(body))
    #expect(refused.status == 400)
  }

  @Test(
    "a form that is not properly encoded is refused", arguments: ["access_token=%zz", "access_token=%ff"])
  func brokenForm(body: String) {
    #expect(refusal(body, type: "application/x-www-form-urlencoded")?.code == .invalidRequest)
  }
}
