/// Where Google's endpoints are: at Google, or all of them under one base URL (an emulator, a proxy).
package struct GoogleEndpoints: Sendable {
  /// Names this Google in stored grants.
  package let baseURL: String
  let token: String
  let tokenInfo: String
  let userInfo: String
  let revoke: String
  let gmail: String

  /// Names the real Google in stored grants; its endpoints have several hosts, so it is its issuer's name.
  package static let realBaseURL = "https://accounts.google.com"

  /// Endpoints under `baseURL`; nil means the real Google.
  package init(baseURL: String?) {
    guard var base = baseURL else {
      self.baseURL = Self.realBaseURL
      token = "https://oauth2.googleapis.com/token"
      tokenInfo = "https://oauth2.googleapis.com/tokeninfo"
      userInfo = "https://www.googleapis.com/oauth2/v3/userinfo"
      revoke = "https://oauth2.googleapis.com/revoke"
      gmail = "https://gmail.googleapis.com/gmail/v1"
      return
    }
    while base.hasSuffix("/") { base.removeLast() }
    self.baseURL = base
    token = base + "/token"
    tokenInfo = base + "/tokeninfo"
    userInfo = base + "/oauth2/v3/userinfo"
    revoke = base + "/revoke"
    gmail = base + "/gmail/v1"
  }
}
