import HTTP
import PayPulseKit
import Primitives
import Testing

@testable import paypulse

@Suite("Automatic consent")
struct AutomaticReceiverTests {
  private let redirect = "http://127.0.0.1:49152/"

  private struct Pages: HTTPClient {
    let pages: [String: HTTPResponse]
    func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
      guard let page = pages[request.url] else {
        Issue.record("unplanned request: \(request.url)")
        throw .invalidURL
      }
      return page
    }
  }

  private func receive(_ pages: [String: HTTPResponse]) async throws -> String {
    try await AutomaticReceiver(http: Pages(pages: pages), redirectURI: redirect).receive { address in
      AuthorizationPage(
        url: "http://g:1/auth",
        attempt: AuthorizationAttempt(
          clientID: "c", endpoints: GoogleEndpoints(baseURL: "http://g:1"), redirectURI: address,
          state: Secret("s"), nonce: Secret("n"), verifier: Secret("v"), startedAt: Timestamp(seconds: 0)))
    }
  }

  private func to(_ location: String) -> HTTPResponse {
    HTTPResponse(status: 302, fields: ["Location": location])
  }

  @Test("redirects of the same server are followed up to ours, which is only read")
  func follows() async throws {
    let pages = ["http://g:1/auth": to("/consent"), "http://g:1/consent": to(redirect + "?code=4/x&state=s")]
    #expect(try await receive(pages) == redirect + "?code=4/x&state=s")
  }

  @Test(
    "a redirect elsewhere is not followed", arguments: ["http://evil/x", "http://g:1.evil/x", "//evil/x"])
  func elsewhere(location: String) async {
    await #expect(throws: AuthorizationError.self) { try await receive(["http://g:1/auth": to(location)]) }
  }

  @Test("an error page's code is understood; a page that waits for a person is none")
  func errorPages() async {
    let mismatch = HTTPResponse(status: 400, body: Array("<p>Error 400: redirect_uri_mismatch</p>".utf8))
    await #expect(throws: AuthorizationError.clientMisconfigured(code: "redirect_uri_mismatch")) {
      try await receive(["http://g:1/auth": mismatch])
    }
    await #expect(throws: AuthorizationError.unavailable(status: 503)) {
      try await receive(["http://g:1/auth": HTTPResponse(status: 503)])
    }
    let consent = HTTPResponse(status: 200, body: Array("<form>Allow?</form>".utf8))
    let error = await #expect(throws: AuthorizationError.self) {
      try await receive(["http://g:1/auth": consent])
    }
    guard case .receiver? = error else {
      Issue.record("a page was taken for an error of Google's")
      return
    }
  }
}
