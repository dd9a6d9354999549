import Primitives
import Synchronization

/// The brake on a wave of deaths: when many grants seem to die at once it is more likely that Google, or our
/// configuration, is wrong than that all those people left (DESIGN 3.3).
package struct BelieveDeath: Sendable {
  /// The span that refreshes are counted over.
  package static let window: Duration = .seconds(3600)
  private static let fewestUsers = 5
  private static let share = 0.2

  private let ledger: any RefreshLedger
  private let vault: any TokenVault
  private let alerts: AlertLatch
  private let time: TimeSource
  private let recovery = Recovery()

  /// Whether someone in this process is at restoring: of many successes at once, one does it.
  private final class Recovery: Sendable {
    private let isRunning = Atomic(false)
    func begin() -> Bool { !isRunning.exchange(true, ordering: .acquiring) }
    func end() { isRunning.store(false, ordering: .releasing) }
  }

  /// Counts in `ledger`, restores in `vault`.
  package init(ledger: any RefreshLedger, vault: any TokenVault, alerts: AlertLatch, time: TimeSource) {
    self.ledger = ledger
    self.vault = vault
    self.alerts = alerts
    self.time = time
  }

  /// Whether these statistics look like a wave: at least 5 users and over 20 % of the hour's refreshes.
  package static func isWave(_ statistics: RefreshStatistics) -> Bool {
    statistics.usersDied >= fewestUsers && Double(statistics.deaths) > share * Double(statistics.refreshes)
  }

  /// Whether an `invalid_grant` of `user` is believed. It counts either way.
  func isBelieved(of user: UserID) async throws(StoreError) -> Bool {
    let now = time.now()
    let statistics = try await ledger.record(.died, of: user, at: now)
    guard statistics.brakeSince == nil else { return false }
    guard Self.isWave(statistics) else { return true }
    if try await ledger.engageBrake(at: now) {
      // The last wave may have ended in another process, which could not clear this one's latch.
      alerts.clear(.waveOfDeaths)
      alerts.raise(.waveOfDeaths)
    }
    return false
  }

  /// Whether the wave that set this secret aside is doubted at present.
  func doubts(_ aside: AsideSecret?) async throws(StoreError) -> Bool {
    guard let aside, let since = try await ledger.brakeSince() else { return false }
    return aside.since >= since - Self.window
  }

  /// A success of `user` counts, and takes the brake off: what was set aside in that hour gets its name
  /// back, due for a use at once, and the next `invalid_grant` on it is believed.
  func noteSuccess(of user: UserID) async throws(StoreError) {
    let statistics = try await ledger.record(.succeeded, of: user, at: time.now())
    guard let since = statistics.brakeSince, recovery.begin() else { return }
    defer { recovery.end() }
    // Restored before the brake is off: a process that ends halfway leaves the rest to the next success.
    try await forEach(try await vault.setAside(since: since - Self.window)) { user throws(StoreError) in
      try await restore(user)
    }
    if try await ledger.releaseBrake() != nil { alerts.clear(.waveOfDeaths) }
  }

  private func restore(_ user: UserID) async throws(StoreError) {
    let now = time.now()
    do throws(StoreError) {
      try await vault.update(user) { ($0.restoringAside(at: now, onProbation: true), ()) }
    } catch {
      // One who is deleted meanwhile must not keep the others waiting.
      guard error == .noSuchUser else { throw error }
    }
  }
}
