import HTTP
import PayPulseKit

/// Plays the person at an emulator that consents by itself: asks for the page and reads where it redirects. No browser
/// and no socket is needed, since the redirect is only read.
struct AutomaticReceiver: RedirectReceiver {
  let http: any HTTPClient
  /// Nil when the client id makes no scheme.
  let redirectURI: String?

  func receive(
    _ begin: @escaping @Sendable (String) async throws(AuthorizationError) -> AuthorizationPage
  ) async throws(AuthorizationError) -> String {
    guard let redirectURI else {
      throw .receiver("The Google client id holds characters that no scheme may.")
    }
    let page = try await begin(redirectURI)
    var address = page.url
    for _ in 0..<5 {
      let response: HTTPResponse
      do { response = try await http.send(HTTPClientRequest(method: .get, url: address)) } catch {
        throw .network(error)
      }
      guard (300..<400).contains(response.status), let location = response.fields["Location"] else {
        throw Self.error(on: response)
      }
      if page.attempt.isAnswer(location) { return location }
      address = try Self.next(location, after: address)
    }
    throw .receiver("Google's page leads in circles.")
  }

  /// Only the same server is followed: what answers there was chosen by the person.
  private static func next(_ location: String, after address: String) throws(AuthorizationError) -> String {
    guard let scheme = address.firstRange(of: "://") else { throw .invalidReply }
    let origin = address[..<scheme.upperBound] + address[scheme.upperBound...].prefix { $0 != "/" }
    if location.hasPrefix("/"), !location.hasPrefix("//") { return origin + location }
    guard location.hasPrefix(origin + "/") else {
      throw .receiver("Google's page leads elsewhere; leave out --auto and use the browser.")
    }
    return location
  }

  /// An error page names its code in its text; it is never redirected.
  private static func error(on response: HTTPResponse) -> AuthorizationError {
    if response.status == 429 || response.status >= 500 { return .unavailable(status: response.status) }
    let text = String(decoding: response.body, as: UTF8.self)
    let known = AuthorizationError.clientCodes.union([
      "access_denied", "admin_policy_enforced", "org_internal",
    ])
    let found = known.compactMap { code in text.firstRange(of: code).map { ($0.lowerBound, code) } }
      .min { $0.0 < $1.0 }
    if response.status >= 400, let found {
      return AuthorizationError(oauthError: found.1, atTokenEndpoint: false)
    }
    return .receiver("Google's page waits for a person; leave out --auto and use the browser.")
  }
}
