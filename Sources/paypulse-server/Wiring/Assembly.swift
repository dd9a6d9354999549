import API
import Cryptography
import Curl
import Domain
import Google
import HTTP
import Primitives
import SQLite

/// All parts of the server put together: what `serve` and every other command work with.
package struct Assembly: Sendable {
  /// The options it was made from.
  package let options: ServerOptions
  /// The open database.
  package let database: SQLiteDatabase
  /// The domain's parts over it.
  package let backend: Backend

  /// Puts the parts together over an open database; Google is reached through `client`.
  package init(
    options: ServerOptions, keys: ServerKeys, database: SQLiteDatabase, client: any HTTPClient, log: Log,
    time: TimeSource = .system, random: RandomSource = .system
  ) throws {
    let endpoints = GoogleEndpoints(baseURL: options.googleBaseURL)
    self.options = options
    self.database = database
    backend = Backend(
      BackendSettings(
        jwtSecret: keys.jwtSecret, policy: .refreshesBehind, trustedProxies: options.trustedProxies,
        hidesUnknownUsers: options.hidesUnknownUsers),
      stores: Stores(
        users: SQLiteUserStore(database), vault: SQLiteTokenVault(database),
        revocations: SQLiteRevocationQueue(database), ledger: SQLiteRefreshLedger(database),
        isReady: { (try? await database.checkWritable()) != nil }),
      google: GoogleAccess(
        oauth: GoogleOAuthClient(client: client, endpoints: endpoints, log: log),
        mailbox: GmailMailbox(client: client, endpoints: endpoints),
        configuration: GoogleConfiguration(
          clientIDs: options.googleClientIDs.map { GoogleClientID($0) }, baseURL: endpoints.baseURL)),
      parts: BackendParts(
        passwords: BcryptPasswords(try PasswordHasher()), limitsRates: options.limitsRates, log: log,
        time: time,
        random: random))
  }

  /// The application that answers requests.
  package var application: Application { backend.application }

  /// The accounts in the database, to be moved.
  package var accounts: AccountPlace {
    AccountPlace(
      users: backend.users, vault: backend.vault, revocations: SQLiteRevocationQueue(database))
  }

  /// Returns when nothing is in the air any more: refreshes and revocations have landed.
  package func drain() async { await backend.drain() }
}
