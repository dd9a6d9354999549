import Cryptography
import Domain
import Primitives

/// A store for every port of the domain.
package struct Stores: Sendable {
  let users: any UserStore
  let vault: any TokenVault
  let revocations: any RevocationQueue
  let ledger: any RefreshLedger
  let isReady: @Sendable () async -> Bool

  /// Stores. `isReady` says whether they can be used now.
  package init(
    users: any UserStore, vault: any TokenVault, revocations: any RevocationQueue,
    ledger: any RefreshLedger, isReady: @escaping @Sendable () async -> Bool
  ) {
    self.users = users
    self.vault = vault
    self.revocations = revocations
    self.ledger = ledger
    self.isReady = isReady
  }
}

/// The way to Google, and who we are there.
package struct GoogleAccess: Sendable {
  let oauth: any GoogleOAuth
  let mailbox: any Mailbox
  let configuration: GoogleConfiguration

  /// A way to Google.
  package init(oauth: any GoogleOAuth, mailbox: any Mailbox, configuration: GoogleConfiguration) {
    self.oauth = oauth
    self.mailbox = mailbox
    self.configuration = configuration
  }
}

/// What the operator decides.
package struct BackendSettings: Sendable {
  let jwtSecret: Secret
  let policy: TokenSource.Policy
  let trustedProxies: [AddressRange]
  let hidesUnknownUsers: Bool

  /// Settings. `jwtSecret` signs sessions; `policy` says whether a token is refreshed behind its caller.
  package init(
    jwtSecret: Secret, policy: TokenSource.Policy, trustedProxies: [AddressRange] = [],
    hidesUnknownUsers: Bool = false
  ) {
    self.jwtSecret = jwtSecret
    self.policy = policy
    self.trustedProxies = trustedProxies
    self.hidesUnknownUsers = hidesUnknownUsers
  }

  var signer: SessionTokenSigner { SessionTokenSigner(secret: jwtSecret) }
}

/// What one process has one of.
package struct BackendParts: Sendable {
  let passwords: any PasswordHashing
  let passwordLimits: PasswordLimits?
  let uploadLimit: AttemptLimit?
  let alerts: AlertLatch
  let time: TimeSource
  let random: RandomSource
  let log: Log

  /// Parts with fresh limits, if `limitsRates`.
  package init(
    passwords: any PasswordHashing, limitsRates: Bool, log: Log, time: TimeSource = .system,
    random: RandomSource = .system
  ) {
    self.passwords = passwords
    passwordLimits = limitsRates ? PasswordLimits() : nil
    uploadLimit = limitsRates ? AttemptLimit(10, per: .seconds(60)) : nil
    alerts = AlertLatch(log: log)
    self.time = time
    self.random = random
    self.log = log
  }
}
