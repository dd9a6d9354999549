import Cryptography
import Domain
import Primitives
import SQLite

/// A new database with people in it.
struct People {
  /// Something that should not be.
  struct Unexpected: Error {}

  static let clientID = GoogleClientID("1234567890-bench.apps.googleusercontent.com")
  static let google = "https://google.example"
  let database: SQLiteDatabase
  let vault: SQLiteTokenVault
  let users: [UserID]

  /// So many people, none of them connected, in a new file at `path`.
  init(count: Int, path: String) async throws {
    guard let key = try? KeyRing(file: RandomSource.system.bytes(32)) else { throw Unexpected() }
    database = try SQLiteDatabase(path: path, sealer: Sealer(keys: key), random: .system, time: .system)
    vault = SQLiteTokenVault(database)
    users = (0..<count).map { UserID("user_\($0)") }
    let store = SQLiteUserStore(database)
    for (number, id) in users.enumerated() {
      let user = User(
        id: id, email: "person\(number)@example.com", name: "Ada", passwordHash: Secret("none"),
        createdAt: TimeSource.system.now())
      guard try await store.add(user) else { throw Unexpected() }
    }
  }

  // As long as Google's are.
  private static let longAccessToken = String(repeating: "a", count: 180)
  private static let longRefreshToken = "1//" + String(repeating: "r", count: 100)

  /// What a connect of person `number` stores at a moment; the access token differs from one `turn` to the next.
  static func connection(of number: Int) -> @Sendable (_ turn: Int, _ now: Timestamp) -> VaultChange {
    let account = GoogleAccount(
      subject: GoogleSubject("10000000000000000\(number)"), email: "person\(number)@gmail.example",
      name: "Ada",
      emailVerified: true)
    let scopes = GrantedScopes("openid email profile " + GrantedScopes.gmailReadonly)
    let refreshToken = GoogleRefreshToken(Secret(longRefreshToken))
    let grant = GrantID("grant-of-\(number)")
    return { turn, now in
      let expiry = now + .seconds(3600)
      let tokens = OAuthTokens(
        accessToken: GoogleAccessToken(Secret("ya29.\(turn)." + longAccessToken)), refreshToken: refreshToken,
        expiresAt: expiry, expiresIn: 3600, scopes: scopes, writtenAt: now, account: account,
        clientID: clientID, googleBaseURL: google, grantID: grant, fence: 0)
      let record = GmailConnection(
        account: account, recordedStatus: .connected, scopes: scopes, connectedAt: now,
        accessExpiresAt: expiry, grantID: grant, nextUseAt: now + .seconds(86_400))
      return VaultChange(secret: .put(tokens), connection: .put(record))
    }
  }
}
