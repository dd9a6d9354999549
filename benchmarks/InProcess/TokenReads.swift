import Domain
import Primitives
import SQLite

/// Access tokens that are still valid, asked for by 64 readers of as many connections.
struct TokenReads {
  let path: String
  private static let readers = 64

  func perSecond() async throws -> Double {
    let people = try await People(count: Self.readers, path: path)
    for (number, user) in people.users.enumerated() {
      let change = People.connection(of: number)(0, TimeSource.system.now())
      try await people.vault.update(user) { _ in (change, ()) }
    }
    let tokens = source(people)
    let rate = try await Throughput().perSecond(tasks: Self.readers) { reader, _ in
      _ = try await tokens.accessToken(for: people.users[reader])
    }
    await people.database.close()
    return rate
  }

  private func source(_ people: People) -> TokenSource {
    let alerts = AlertLatch(log: .silent)
    let deaths = BelieveDeath(
      ledger: SQLiteRefreshLedger(people.database), vault: people.vault, alerts: alerts, time: .system)
    let refresh = RefreshGrant(
      vault: people.vault, google: NoGoogle(),
      configuration: GoogleConfiguration(clientIDs: [People.clientID], baseURL: People.google),
      deaths: deaths,
      alerts: alerts, time: .system, random: .system)
    return TokenSource(vault: people.vault, refresh: refresh, policy: .refreshesBehind, time: .system)
  }
}

/// A valid token is given out without asking Google.
private struct NoGoogle: GoogleOAuth {
  func tokenInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> TokenInfo {
    throw .unavailable(retryAfter: nil)
  }
  func userInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> UserInfo {
    throw .unavailable(retryAfter: nil)
  }
  func refresh(_ token: GoogleRefreshToken, clientID: GoogleClientID, timeout: Duration)
    async throws(GoogleError) -> TokenReply
  { throw .unavailable(retryAfter: nil) }
  func revoke(_ token: Secret) async throws(GoogleError) { throw .unavailable(retryAfter: nil) }
}
