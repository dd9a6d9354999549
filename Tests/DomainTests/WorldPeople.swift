import Domain
import Primitives
import TestSupport

/// People and what they do.
extension World {
  static func account(_ name: String) -> GoogleAccount {
    GoogleAccount(
      subject: GoogleSubject("sub-" + name), email: name + "@gmail.test", name: "Name of " + name,
      emailVerified: true)
  }

  /// A user of ours, with an account and no connection.
  func user(_ name: String = "kim") async throws -> UserID {
    let id = UserID("user_" + name)
    let user = User(
      id: id, email: name + "@home.test", name: name, passwordHash: Secret("hash"), createdAt: clock.now)
    _ = try await users.add(user)
    return id
  }

  /// A fresh consent of `account`, as the device uploads it.
  func upload(
    _ account: GoogleAccount, client: GoogleClientID = World.client,
    scopes: GrantedScopes = FakeGoogle.fullScopes, withRefreshToken: Bool = true
  ) -> UploadedTokens {
    let tokens = google.consent(account, clientID: client, scopes: scopes, at: clock.now)
    return UploadedTokens(
      accessToken: tokens.access, refreshToken: withRefreshToken ? tokens.refresh : nil, scopes: scopes)
  }

  /// A user with a connected Google account of the same name.
  func connected(_ name: String = "kim", withRefreshToken: Bool = true) async throws -> UserID {
    let user = try await user(name)
    _ = try await home.connect(user, upload(World.account(name), withRefreshToken: withRefreshToken))
    return user
  }

  /// A token that has to be refreshed for: the stored one has ended.
  func token(_ user: UserID) async throws -> GoogleAccessToken {
    try await home.tokens.accessToken(for: user)
  }

  /// Lets the hour of an access token pass.
  func passAnHour() { clock.advance(by: .seconds(3601)) }

  func record(_ user: UserID) async throws -> GmailConnection? { try await vault.read(user).connection }
  func stored(_ user: UserID) async throws -> OAuthTokens? { try await vault.read(user).secret.tokens }
  func status(_ user: UserID) async throws -> ConnectionStatus? {
    try await record(user)?.status(at: clock.now)
  }

  /// Puts a secret there as the older backend wrote it, without a record beside it.
  func plantOldSecret(_ user: UserID, _ tokens: OAuthTokens) async throws {
    try await vault.update(user) { _ in (VaultChange(secret: .put(tokens), connection: .forget), ()) }
  }
}
