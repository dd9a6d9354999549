import Domain
import Primitives
import Testing

@testable import SQLite

@Suite("Secrets that were opened before")
struct OpenedSecretsTests {
  private let user = UserID("user_1")

  private func tokens(_ access: String) -> OAuthTokens {
    OAuthTokens(
      accessToken: GoogleAccessToken(Secret(access)), refreshToken: nil, expiresAt: Timestamp(seconds: 1),
      expiresIn: 3600, scopes: GrantedScopes("a"), writtenAt: Timestamp(seconds: 0),
      account: GoogleAccount(subject: GoogleSubject("1"), email: "", name: "", emailVerified: false),
      clientID: nil, googleBaseURL: nil, grantID: nil, fence: 0)
  }

  @Test("are known by user, version and every byte")
  func sameValueOnly() {
    let opened = OpenedSecrets(capacity: 8)
    opened.remember(tokens("a"), in: [1, 2, 3], of: user, version: "v")
    #expect(opened.tokens(in: [1, 2, 3], of: user, version: "v") == tokens("a"))
    #expect(opened.tokens(in: [1, 2, 4], of: user, version: "v") == nil)
    #expect(opened.tokens(in: [1, 2, 3], of: user, version: "w") == nil)
    #expect(opened.tokens(in: [1, 2, 3], of: UserID("user_2"), version: "v") == nil)
    opened.remember(tokens("b"), in: [4], of: user, version: "w")
    #expect(opened.tokens(in: [1, 2, 3], of: user, version: "v") == nil)
    #expect(opened.tokens(in: [4], of: user, version: "w") == tokens("b"))
  }
}
