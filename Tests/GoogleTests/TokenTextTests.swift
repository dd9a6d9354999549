import Domain
import Primitives
import TestSupport
import Testing

@testable import Google

@Suite("Tokens in Google's replies")
struct TokenTextTests {
  @Test(
    "What cannot be a token never takes a good one's place",
    arguments: [#""""#, #"" ""#, #""a b""#, #""a\nb""#, #""a\u0000""#, #""é""#, "1", "null", "[]"])
  func refreshToken(text: String) async throws {
    let reply = try await refresh(#"{"access_token":"ya29.a","expires_in":3599,"refresh_token":\#(text)}"#)
    #expect(reply.refreshToken == nil)
    await #expect(throws: GoogleError.unavailable(retryAfter: nil)) {
      try await refresh(#"{"access_token":\#(text),"expires_in":3599}"#)
    }
  }

  @Test("Every visible ASCII character can stand in a token")
  func visible() async throws {
    let token = String(decoding: (0x21...0x7E).filter { $0 != 0x22 && $0 != 0x5C }, as: UTF8.self)
    let reply = try await refresh(#"{"access_token":"a","expires_in":3599,"refresh_token":"\#(token)"}"#)
    #expect(reply.refreshToken?.secret == Secret(token))
  }

  private func refresh(_ body: String) async throws -> TokenReply {
    let google = GoogleOAuthClient(
      client: ScriptedHTTPClient(200, body), endpoints: GoogleEndpoints(baseURL: "https://google.test"),
      log: .silent)
    return try await google.refresh(
      GoogleRefreshToken(Secret("1//r")), clientID: GoogleClientID("c"), timeout: .seconds(1))
  }
}
