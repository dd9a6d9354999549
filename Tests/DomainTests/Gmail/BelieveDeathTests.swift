import Domain
import Primitives
import TestSupport
import Testing

@Suite("BelieveDeath: waves of invalid_grant")
struct BelieveDeathTests {
  static let names = ["ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal"]
  let world = World()

  /// Eight users whose refreshes are due, and who are all refused.
  private func waveOverEight() async throws -> [UserID] {
    var users: [UserID] = []
    for name in Self.names { users.append(try await world.connected(name)) }
    world.passAnHour()
    world.google.fail(.token, .refused(.invalidGrant(rapt: false)))
    for user in users { _ = try? await world.token(user) }
    return users
  }

  private func count(_ users: [UserID], _ status: ConnectionStatus) async throws -> Int {
    var count = 0
    for user in users where try await world.status(user) == status { count += 1 }
    return count
  }

  @Test(
    "3.3: a wave needs 5 users and over 20 % of the hour's refreshes",
    arguments: [
      (20, 4, 4, false), (25, 5, 5, false), (24, 5, 5, true), (10, 9, 4, false), (5, 5, 5, true),
    ])
  func thresholds(refreshes: Int, deaths: Int, users: Int, isWave: Bool) {
    let statistics = RefreshStatistics(
      refreshes: refreshes, deaths: deaths, usersDied: users, brakeSince: nil)
    #expect(BelieveDeath.isWave(statistics) == isWave)
  }

  @Test("3.3: from the fifth on nothing more is set aside, and exactly one alert is logged")
  func brake() async throws {
    let users = try await waveOverEight()
    #expect(try await count(users, .needsReconnect) == 4)
    #expect(try await count(users, .connected) == 4)
    for user in users { _ = try? await world.token(user) }
    #expect(try await count(users, .needsReconnect) == 4)
    #expect(world.log.count(of: "wave_of_invalid_grant") == 1)
    await #expect(throws: TokenRefusal.temporarilyUnavailable(retryAfter: .seconds(60))) {
      try await world.token(users[7])
    }
  }

  @Test(
    "3.3: when Google recovers every connection works again, nobody reconnects, whatever order they are asked in",
    arguments: [[0, 1, 2, 3, 4, 5, 6, 7], [7, 6, 5, 4, 3, 2, 1, 0], [3, 7, 0, 5, 1, 6, 2, 4]])
  func recovers(order: [Int]) async throws {
    let users = try await waveOverEight()
    world.google.heal(.token)
    for index in order {
      #expect(world.google.honours(try await world.token(users[index]), at: world.clock.now))
    }
    #expect(try await count(users, .connected) == 8)
    #expect(world.log.alerts.count == 1)
    #expect(try await world.ledger.brakeSince() == nil)
  }

  @Test("3.3: the sweep alone heals a false wave")
  func sweepHeals() async throws {
    let users = try await waveOverEight()
    world.google.heal(.token)
    await world.home.sweep.once()
    await world.home.sweep.once()
    #expect(try await count(users, .connected) == 8)
  }

  @Test("3.3: a real wave is believed after probation, when somebody else's refresh succeeds")
  func realWave() async throws {
    let users = try await waveOverEight()
    for name in Self.names { world.google.killGrants(of: World.account(name)) }
    world.google.heal(.token)
    let other = try await world.connected("zoe")
    world.passAnHour()
    _ = try await world.token(other)
    #expect(try await world.ledger.brakeSince() == nil)
    for _ in 0..<3 {
      for user in users { _ = try? await world.token(user) }
      world.passAnHour()
      _ = try await world.token(other)
    }
    for user in users {
      await #expect(throws: TokenRefusal.needsReconnect(.invalidGrant)) { try await world.token(user) }
    }
    let calls = world.google.calls(.token)
    for user in users { _ = try? await world.token(user) }
    #expect(world.google.calls(.token) == calls, "the dead cost no more calls")
  }

  @Test("3.3: single deaths among many refreshes are believed")
  func singleDeaths() async throws {
    let users = try await [world.connected("ann"), world.connected("bob")]
    world.passAnHour()
    world.google.killGrants(of: World.account("ann"))
    await #expect(throws: TokenRefusal.needsReconnect(.invalidGrant)) { try await world.token(users[0]) }
    _ = try await world.token(users[1])
    #expect(world.log.alerts.isEmpty)
    #expect(try await world.status(users[0]) == .needsReconnect, "a later success restores no single death")
  }

  @Test("3.3: deaths of more than an hour ago do not count")
  func window() async throws {
    var users: [UserID] = []
    for name in Self.names { users.append(try await world.connected(name)) }
    world.passAnHour()
    world.google.fail(.token, .refused(.invalidGrant(rapt: false)))
    for user in users.prefix(4) { _ = try? await world.token(user) }
    world.passAnHour()
    _ = try? await world.token(users[4])
    #expect(try await world.status(users[4]) == .needsReconnect)
    #expect(world.log.alerts.isEmpty)
  }

  @Test("A second wave is told too when the first one ended in another process")
  func secondWave() async throws {
    let users = try await waveOverEight()
    world.google.heal(.token)
    let other = world.process()
    for user in users { _ = try await other.tokens.accessToken(for: user) }
    world.passAnHour()
    world.google.fail(.token, .refused(.invalidGrant(rapt: false)))
    for user in users { _ = try? await world.token(user) }
    #expect(world.log.count(of: "wave_of_invalid_grant") == 2)
  }

  @Test("A user who is deleted meanwhile does not keep the others from being restored")
  func deletedMeanwhile() async throws {
    let users = try await waveOverEight()
    world.google.heal(.token)
    let vault = DeletingVault(base: world.vault, deletes: users[0]) {
      try? await world.home.deleteAccount(users[0])
    }
    let alerts = AlertLatch(log: world.log.log)
    let refresh = RefreshGrant(
      vault: vault, google: world.google, configuration: World.configuration,
      deaths: BelieveDeath(ledger: world.ledger, vault: vault, alerts: alerts, time: world.clock.source),
      alerts: alerts, time: world.clock.source, random: world.random.source)
    let tokens = TokenSource(
      vault: vault, refresh: refresh, policy: .refreshesOnDemand, time: world.clock.source)
    _ = try await tokens.accessToken(for: users[7])
    for user in users[1...3] { #expect(try await world.status(user) == .connected) }
    #expect(try await world.ledger.brakeSince() == nil)
  }

  @Test("3.3: dead ciphertext is kept aside for 7 days, restored by the operator, then destroyed")
  func keptAside() async throws {
    let user = try await world.connected()
    world.passAnHour()
    world.google.killGrants(of: World.account("kim"))
    _ = try? await world.token(user)
    #expect(try await world.vault.read(user).aside != nil)
    world.clock.advance(by: .seconds(7 * 24 * 3600 - 1))
    await world.home.sweep.once()
    #expect(try await world.vault.read(user).aside != nil)
    world.clock.advance(by: .seconds(2))
    await world.home.sweep.once()
    #expect(try await world.vault.read(user).aside == nil)
    await #expect(throws: RestoreConnection.Refusal.nothingAside) {
      try await world.home.restore(email: "kim@home.test")
    }
  }
}

/// A vault in which a user vanishes right after they were listed.
private struct DeletingVault: TokenVault {
  let base: InMemoryTokenVault
  let deletes: UserID
  let deletion: @Sendable () async -> Void

  init(base: InMemoryTokenVault, deletes: UserID, deletion: @escaping @Sendable () async -> Void) {
    self.base = base
    self.deletes = deletes
    self.deletion = deletion
  }
  func setAside(since: Timestamp) async throws(StoreError) -> [UserID] {
    let users = try await base.setAside(since: since)
    await deletion()
    return users.sorted { $0 == deletes || ($1 != deletes && $0.rawValue < $1.rawValue) }
  }
  func read(_ user: UserID) async throws(StoreError) -> VaultSnapshot { try await base.read(user) }
  func update<Result: Sendable>(
    _ user: UserID, account: GoogleSubject?,
    _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
  ) async throws(StoreError) -> Result { try await base.update(user, account: account, decide) }
  func acquireLease(on user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
    async throws(StoreError) -> LeaseAttempt
  { try await base.acquireLease(on: user, owner: owner, now: now, until: expiry) }
  func release(_ lease: RefreshLease, on user: UserID) async throws(StoreError) {
    try await base.release(lease, on: user)
  }
  func dueForUse(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try await base.dueForUse(at: now, limit: limit)
  }
  func spent(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try await base.spent(at: now, limit: limit)
  }
  func discardAsides(before: Timestamp) async throws(StoreError) {
    try await base.discardAsides(before: before)
  }
  func connections() async throws(StoreError) -> [Profile] { try await base.connections() }
}
