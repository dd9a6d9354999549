import API
import Cryptography
import Domain
import Google
import HTTP
import Primitives
import TestSupport

/// The server's own code over stores in memory.
struct Backend: Sendable {
  let store: InMemoryStore
  let vault: InMemoryTokenVault
  let users: InMemoryUserStore
  let tokens: TokenSource
  let revoker: RevokeGrants
  let responder: any Responder

  /// A server that knows `clientID` and reaches Google at `google` through `client`.
  init(clientID: String, google address: String, client: any HTTPClient, time: TimeSource) {
    let endpoints = GoogleEndpoints(baseURL: address)
    let google = GoogleOAuthClient(client: client, endpoints: endpoints, log: .silent)
    let mailbox = GmailMailbox(client: client, endpoints: endpoints)
    let configuration = GoogleConfiguration(
      clientIDs: [GoogleClientID(clientID)], baseURL: endpoints.baseURL)
    let alerts = AlertLatch(log: .silent)
    store = InMemoryStore(time: time)
    vault = InMemoryTokenVault(store)
    users = InMemoryUserStore(store)
    revoker = RevokeGrants(
      queue: InMemoryRevocationQueue(store), google: google, configuration: configuration, time: time,
      log: .silent)
    let refresh = RefreshGrant(
      vault: vault, google: google, configuration: configuration,
      deaths: BelieveDeath(
        ledger: InMemoryRefreshLedger(store), vault: vault, alerts: alerts, time: time), alerts: alerts,
      time: time, random: .system)
    tokens = TokenSource(vault: vault, refresh: refresh, policy: .refreshesOnDemand, time: time)
    let disconnect = DisconnectGmail(
      vault: vault, revoker: revoker, configuration: configuration, time: time, random: .system)
    let connect = ConnectGmail(
      vault: vault, prove: ProveTokens(google: google, mailbox: mailbox, configuration: configuration),
      configuration: configuration, revoker: revoker,
      fingerprint: { Digest.sha256($0.flatMap { Array("\($0.expose().utf8.count):\($0.expose())".utf8) }) },
      time: time, random: .system)
    let passwords = FakePasswords()
    responder = Application(
      signUp: SignUp(users: users, passwords: passwords, time: time, random: .system),
      logIn: LogIn(users: users, passwords: passwords, limits: PasswordLimits(), time: time),
      connectGmail: connect, disconnectGmail: disconnect,
      deleteAccount: DeleteAccount(users: users, disconnect: disconnect), users: users,
      sessions: Sessions(
        signer: SessionTokenSigner(secret: Secret("a secret of at least thirty-two bytes")), users: users,
        time: time, random: .system),
      clients: ClientAddress(trustedProxies: []), uploads: AttemptLimit(10, per: .seconds(60)),
      hidesUnknownUsers: false, isReady: { true }, time: time
    ).responder()
  }

  /// What is stored: the mailbox of each user who has a connection that can be used, by their e-mail address.
  func mailboxes() async throws -> [String: String] {
    var found: [String: String] = [:]
    for profile in try await vault.connections() {
      guard let connection = profile.connection, connection.recordedStatus != .needsReconnect else {
        continue
      }
      found[profile.user.email] = connection.account.email
    }
    return found
  }

  /// Makes the server use the connection of the user with `email`, past the access token that it holds.
  func useConnection(of email: String) async throws {
    guard let user = try await users.user(withEmail: EmailAddress(lookingUp: email)) else { return }
    let held = try await tokens.accessToken(for: user.id)
    _ = try? await tokens.accessToken(for: user.id, rejecting: held)
  }

  /// Makes what is stored for the user with `email` unreadable.
  func corruptConnection(of email: String) async throws {
    guard let user = try await users.user(withEmail: EmailAddress(lookingUp: email)) else { return }
    store.corruptSecret(of: user.id)
    _ = try? await tokens.accessToken(for: user.id)
  }
}
