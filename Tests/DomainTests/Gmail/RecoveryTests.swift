import Domain
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite("Many successes after a wave of deaths")
struct RecoveryTests {
  let world = World()

  /// Counts how often the list of what was set aside is asked for, and holds whoever asks.
  private struct WatchedVault: TokenVault {
    let vault: InMemoryTokenVault
    let gate: Gate
    let lists: Counter

    final class Counter: Sendable {
      let count = Atomic(0)
    }

    func read(_ user: UserID) async throws(StoreError) -> VaultSnapshot { try await vault.read(user) }
    func update<Result: Sendable>(
      _ user: UserID, account: GoogleSubject?,
      _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
    ) async throws(StoreError) -> Result { try await vault.update(user, account: account, decide) }
    func acquireLease(on user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
      async throws(StoreError) -> LeaseAttempt
    { try await vault.acquireLease(on: user, owner: owner, now: now, until: expiry) }
    func release(_ lease: RefreshLease, on user: UserID) async throws(StoreError) {
      try await vault.release(lease, on: user)
    }
    func dueForUse(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
      try await vault.dueForUse(at: now, limit: limit)
    }
    func spent(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
      try await vault.spent(at: now, limit: limit)
    }
    func setAside(since: Timestamp) async throws(StoreError) -> [UserID] {
      lists.count.add(1, ordering: .relaxed)
      await gate.pass()
      return try await vault.setAside(since: since)
    }
    func discardAsides(before: Timestamp) async throws(StoreError) {
      try await vault.discardAsides(before: before)
    }
    func connections() async throws(StoreError) -> [Profile] { try await vault.connections() }
  }

  @Test("3.3: one of them restores what the wave took; the others do not do it all over again")
  func once() async throws {
    let names = (0..<8).map { "user\($0)" }
    var users: [UserID] = []
    for name in names { users.append(try await world.connected(name)) }
    world.passAnHour()
    world.google.fail(.token, .refused(.invalidGrant(rapt: false)))
    for user in users { _ = try? await world.token(user) }
    world.google.heal(.token)
    let (gate, lists) = (Gate(), WatchedVault.Counter())
    let vault = WatchedVault(vault: world.vault, gate: gate, lists: lists)
    let alerts = AlertLatch(log: world.log.log)
    let tokens = TokenSource(
      vault: vault,
      refresh: RefreshGrant(
        vault: vault, google: world.google, configuration: World.configuration,
        deaths: BelieveDeath(
          ledger: world.ledger, vault: vault, alerts: alerts, time: world.clock.source),
        alerts: alerts, time: world.clock.source, random: world.random.source),
      policy: .refreshesOnDemand, time: world.clock.source)
    let (last, other) = (users[7], users[6])
    let first = Task { try await tokens.accessToken(for: last) }
    await gate.arrival()
    _ = try await tokens.accessToken(for: other)
    #expect(lists.count.load(ordering: .relaxed) == 1)
    gate.open()
    _ = try await first.value
    for user in users { #expect(try await world.status(user) == .connected) }
    #expect(try await world.ledger.brakeSince() == nil)
  }
}
