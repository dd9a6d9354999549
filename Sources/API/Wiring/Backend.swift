import Domain
import HTTP
import Primitives

/// All of the domain's parts put together over stores and Google, wherever those are: what every program that
/// answers the API works with.
package struct Backend: Sendable {
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
  /// Answers requests.
  package let application: Application

  /// Puts the parts together. What outlives a change of `settings`, as limits that count, is in `parts`.
  package init(_ settings: BackendSettings, stores: Stores, google: GoogleAccess, parts: BackendParts) {
    let (time, random, log, alerts) = (parts.time, parts.random, parts.log, parts.alerts)
    let configuration = google.configuration
    users = stores.users
    vault = stores.vault
    mailbox = google.mailbox
    passwords = parts.passwords
    revoker = RevokeGrants(
      queue: stores.revocations, google: google.oauth, configuration: configuration, time: time, log: log)
    let refresh = RefreshGrant(
      vault: vault, google: google.oauth, configuration: configuration,
      deaths: BelieveDeath(ledger: stores.ledger, vault: vault, alerts: alerts, time: time), alerts: alerts,
      time: time, random: random)
    tokens = TokenSource(vault: vault, refresh: refresh, policy: settings.policy, time: time)
    openMailbox = OpenMailbox(tokens: tokens, vault: vault, mailbox: mailbox, google: google.oauth)
    sweep = SweepGrants(
      vault: vault, tokens: tokens, revoker: revoker, ledger: stores.ledger, time: time, log: log)
    let disconnect = DisconnectGmail(
      vault: vault, revoker: revoker, configuration: configuration, time: time, random: random)
    application = Application(
      signUp: SignUp(users: users, passwords: passwords, time: time, random: random),
      logIn: LogIn(users: users, passwords: passwords, limits: parts.passwordLimits, time: time),
      connectGmail: ConnectGmail(
        vault: vault,
        prove: ProveTokens(google: google.oauth, mailbox: mailbox, configuration: configuration),
        configuration: configuration, revoker: revoker,
        fingerprint: UploadFingerprint(key: settings.jwtSecret).callAsFunction,
        time: time, random: random, waitForTwin: .seconds(2)),
      disconnectGmail: disconnect, deleteAccount: DeleteAccount(users: users, disconnect: disconnect),
      users: users,
      sessions: Sessions(signer: settings.signer, users: users, time: time, random: random),
      clients: ClientAddress(trustedProxies: settings.trustedProxies), uploads: parts.uploadLimit,
      hidesUnknownUsers: settings.hidesUnknownUsers, isReady: stores.isReady, time: time)
  }

  /// What `check-connection` does. A refresh that takes its time is waited for, up to `patience`.
  package func checkConnection(patience: Duration, time: TimeSource) -> CheckConnection {
    CheckConnection(
      users: users, openMailbox: openMailbox, mailbox: mailbox, patience: patience, time: time)
  }

  /// Returns when nothing is in the air any more: refreshes and revocations have landed.
  package func drain() async {
    await tokens.drain()
    await revoker.drain()
  }
}
