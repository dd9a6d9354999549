import Domain
import Primitives
import TestSupport

/// One process of the product: its own flights, latches and limits over the store that all processes share.
struct Process: Sendable {
  let tokens: TokenSource
  let connect: ConnectGmail
  let disconnect: DisconnectGmail
  let revoker: RevokeGrants
  let sweep: SweepGrants
  let openMailbox: OpenMailbox
  let deleteAccount: DeleteAccount
  let restore: RestoreConnection
}

/// A store, a Google and a clock, and the processes that work with them.
final class World: Sendable {
  static let client = GoogleClientID("ios.apps.googleusercontent.com")
  static let otherClient = GoogleClientID("old.apps.googleusercontent.com")
  static let baseURL = "https://google.test"
  static let configuration = GoogleConfiguration(clientIDs: [client, otherClient], baseURL: baseURL)

  let clock = TestClock()
  let google: FakeGoogle
  let store: InMemoryStore
  let vault: InMemoryTokenVault
  let users: InMemoryUserStore
  let queue: InMemoryRevocationQueue
  let ledger: InMemoryRefreshLedger
  let log: CapturedLog
  let random = CountingRandom()
  let home: Process

  init(policy: TokenSource.Policy = .refreshesOnDemand) {
    google = FakeGoogle(clock: clock)
    store = InMemoryStore(time: clock.source)
    vault = InMemoryTokenVault(store)
    users = InMemoryUserStore(store)
    queue = InMemoryRevocationQueue(store)
    ledger = InMemoryRefreshLedger(store)
    log = CapturedLog(clock: clock)
    let parts = Parts(clock, google, store, log, random)
    home = Process(parts, configuration: Self.configuration, policy: policy)
  }

  /// Another process over the same store and the same Google.
  func process(
    configuration: GoogleConfiguration = World.configuration,
    policy: TokenSource.Policy = .refreshesOnDemand
  ) -> Process {
    Process(Parts(clock, google, store, log, random), configuration: configuration, policy: policy)
  }
}

/// What processes share.
private struct Parts {
  let clock: TestClock
  let google: FakeGoogle
  let store: InMemoryStore
  let log: CapturedLog
  let random: CountingRandom

  init(
    _ clock: TestClock, _ google: FakeGoogle, _ store: InMemoryStore, _ log: CapturedLog,
    _ random: CountingRandom
  ) {
    self.clock = clock
    self.google = google
    self.store = store
    self.log = log
    self.random = random
  }
}

extension Process {
  fileprivate init(_ parts: Parts, configuration: GoogleConfiguration, policy: TokenSource.Policy) {
    let (time, random, log) = (parts.clock.source, parts.random.source, parts.log.log)
    let vault = InMemoryTokenVault(parts.store)
    let users = InMemoryUserStore(parts.store)
    let ledger = InMemoryRefreshLedger(parts.store)
    let google = parts.google
    let alerts = AlertLatch(log: log)
    revoker = RevokeGrants(
      queue: InMemoryRevocationQueue(parts.store), google: google, configuration: configuration, time: time,
      log: log)
    let refresh = RefreshGrant(
      vault: vault, google: google, configuration: configuration,
      deaths: BelieveDeath(ledger: ledger, vault: vault, alerts: alerts, time: time), alerts: alerts,
      time: time, random: random)
    tokens = TokenSource(vault: vault, refresh: refresh, policy: policy, time: time)
    connect = ConnectGmail(
      vault: vault, prove: ProveTokens(google: google, mailbox: google, configuration: configuration),
      configuration: configuration, revoker: revoker,
      fingerprint: { $0.flatMap { Array("\($0.expose().utf8.count):\($0.expose())".utf8) } }, time: time,
      random: random)
    disconnect = DisconnectGmail(
      vault: vault, revoker: revoker, configuration: configuration, time: time, random: random)
    sweep = SweepGrants(
      vault: vault, tokens: tokens, revoker: revoker, ledger: ledger, time: time, log: log)
    openMailbox = OpenMailbox(tokens: tokens, vault: vault, mailbox: google, google: google)
    deleteAccount = DeleteAccount(users: users, disconnect: disconnect)
    restore = RestoreConnection(users: users, vault: vault, time: time)
  }
}

extension World {
  /// A refresh of `user` that Google has answered, and whose answer is held back.
  func refreshInTheAir(_ user: UserID, by process: Process? = nil) async throws -> (
    Gate, Task<GoogleAccessToken, any Error>
  ) {
    let tokens = (process ?? home).tokens
    let gate = google.hold(.token, .onReturn)
    let flight = Task { try await tokens.accessToken(for: user) }
    await gate.arrival()
    return (gate, flight)
  }
}
