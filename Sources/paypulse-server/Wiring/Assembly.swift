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
  /// Where users are.
  package let users: any UserStore
  /// Where connections are.
  package let vault: any TokenVault
  /// Gives out access tokens.
  package let tokens: TokenSource
  /// Opens mailboxes.
  package let openMailbox: OpenMailbox
  /// Reads mail.
  package let mailbox: any Mailbox
  /// Pays owed revocations.
  package let revoker: RevokeGrants
  /// Does what nobody asks for.
  package let sweep: SweepGrants
  /// Hashes passwords.
  package let passwords: any PasswordHashing
  private let connect: ConnectGmail
  private let disconnect: DisconnectGmail
  private let signer: SessionTokenSigner
  private let time: TimeSource
  private let random: RandomSource

  /// Puts the parts together over an open database; Google is reached through `client`.
  package init(
    options: ServerOptions, keys: ServerKeys, database: SQLiteDatabase, client: any HTTPClient, log: Log,
    time: TimeSource = .system, random: RandomSource = .system
  ) throws {
    let endpoints = GoogleEndpoints(baseURL: options.googleBaseURL)
    let configuration = GoogleConfiguration(
      clientIDs: options.googleClientIDs.map { GoogleClientID($0) }, baseURL: endpoints.baseURL)
    let google = GoogleOAuthClient(client: client, endpoints: endpoints, log: log)
    let alerts = AlertLatch(log: log)
    let ledger = SQLiteRefreshLedger(database)
    self.options = options
    self.database = database
    self.time = time
    self.random = random
    users = SQLiteUserStore(database)
    vault = SQLiteTokenVault(database)
    mailbox = GmailMailbox(client: client, endpoints: endpoints)
    passwords = BcryptPasswords(try PasswordHasher())
    signer = SessionTokenSigner(secret: keys.jwtSecret)
    revoker = RevokeGrants(
      queue: SQLiteRevocationQueue(database), google: google, configuration: configuration, time: time,
      log: log)
    let refresh = RefreshGrant(
      vault: vault, google: google, configuration: configuration,
      deaths: BelieveDeath(ledger: ledger, vault: vault, alerts: alerts, time: time), alerts: alerts,
      time: time,
      random: random)
    tokens = TokenSource(vault: vault, refresh: refresh, policy: .refreshesBehind, time: time)
    openMailbox = OpenMailbox(tokens: tokens, vault: vault, mailbox: mailbox, google: google)
    sweep = SweepGrants(
      vault: vault, tokens: tokens, revoker: revoker, ledger: ledger, time: time, log: log)
    connect = ConnectGmail(
      vault: vault, prove: ProveTokens(google: google, mailbox: mailbox, configuration: configuration),
      configuration: configuration, revoker: revoker,
      fingerprint: UploadFingerprint(key: keys.jwtSecret).callAsFunction,
      time: time, random: random, waitForTwin: .seconds(2))
    disconnect = DisconnectGmail(
      vault: vault, revoker: revoker, configuration: configuration, time: time, random: random)
  }

  /// The application that answers requests.
  package var application: Application {
    Application(
      signUp: SignUp(users: users, passwords: passwords, time: time, random: random),
      logIn: LogIn(
        users: users, passwords: passwords, limits: options.limitsRates ? PasswordLimits() : nil, time: time),
      connectGmail: connect, disconnectGmail: disconnect,
      deleteAccount: DeleteAccount(users: users, disconnect: disconnect), users: users,
      sessions: Sessions(signer: signer, users: users, time: time, random: random),
      clients: ClientAddress(trustedProxies: options.trustedProxies),
      uploads: options.limitsRates ? AttemptLimit(10, per: .seconds(60)) : nil,
      hidesUnknownUsers: options.hidesUnknownUsers,
      isReady: { [database] in (try? await database.checkWritable()) != nil }, time: time)
  }

  /// What `check-connection` does.
  package var checkConnection: CheckConnection {
    CheckConnection(users: users, openMailbox: openMailbox, mailbox: mailbox)
  }

  /// Returns when nothing is in the air any more: refreshes and revocations have landed.
  package func drain() async {
    await tokens.drain()
    await revoker.drain()
  }
}

/// Recognises an upload by a keyed digest of its tokens.
struct UploadFingerprint: Sendable {
  private let function: HMACSHA256

  init(key: Secret) {
    // A key of its own, so that a digest says nothing about sessions.
    let derived = HMACSHA256(key: Array(key.expose().utf8)).authenticate(
      Array("paypulse upload fingerprint".utf8))
    function = HMACSHA256(key: derived)
  }

  func callAsFunction(_ tokens: [Secret]) -> [UInt8] {
    // Each token behind its length: no two uploads run together to one message.
    function.authenticate(
      tokens.flatMap { token in Array("\(token.expose().utf8.count):\(token.expose())".utf8) })
  }
}
