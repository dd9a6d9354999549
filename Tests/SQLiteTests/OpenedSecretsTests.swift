import Domain
import Primitives
import Testing

@testable import SQLite

@Suite("Secrets that were opened before")
struct OpenedSecretsTests {
  private let user = UserID("user_1")

  private func secret(_ access: String) -> StoredSecret {
    let tokens = OAuthTokens(
      accessToken: GoogleAccessToken(Secret(access)), refreshToken: nil, expiresAt: Timestamp(seconds: 1),
      expiresIn: 3600, scopes: GrantedScopes("a"), writtenAt: Timestamp(seconds: 0),
      account: GoogleAccount(subject: GoogleSubject("1"), email: "", name: "", emailVerified: false),
      clientID: nil, googleBaseURL: nil, grantID: nil, fence: 0)
    return .tokens(tokens, grantID: GrantID("g"))
  }

  @Test("are known by user, version and every byte")
  func sameValueOnly() {
    let opened = OpenedSecrets(capacity: 8)
    opened.remember(secret("a"), in: [1, 2, 3], of: user, version: "v")
    #expect(opened.secret(in: [1, 2, 3], of: user, version: "v")?.tokens == secret("a").tokens)
    #expect(opened.secret(in: [1, 2, 4], of: user, version: "v")?.tokens == nil)
    #expect(opened.secret(in: [1, 2, 3], of: user, version: "w")?.tokens == nil)
    #expect(opened.secret(in: [1, 2, 3], of: UserID("user_2"), version: "v")?.tokens == nil)
    opened.remember(secret("b"), in: [4], of: user, version: "w")
    #expect(opened.secret(in: [1, 2, 3], of: user, version: "v")?.tokens == nil)
    #expect(opened.secret(in: [4], of: user, version: "w")?.tokens == secret("b").tokens)
  }
}
