import Domain
import Primitives

/// How refreshes ended, in memory.
package struct InMemoryRefreshLedger: RefreshLedger {
  private let store: InMemoryStore

  /// The counts of `store`.
  package init(_ store: InMemoryStore) { self.store = store }

  package func record(_ result: RefreshResult, of user: UserID, at now: Timestamp) async throws(StoreError)
    -> RefreshStatistics
  {
    try store.transaction { (state) throws(StoreError) in
      state.refreshes.append(InMemoryStore.CountedRefresh(result: result, user: user, at: now))
      state.refreshes.removeAll { $0.at <= now - BelieveDeath.window }
      let counted = state.refreshes.filter { $0.at <= now }
      let deaths = counted.filter { $0.result == .died }
      return RefreshStatistics(
        refreshes: counted.count, deaths: deaths.count, usersDied: Set(deaths.map(\.user)).count,
        brakeSince: state.brakeSince)
    }
  }

  package func brakeSince() async throws(StoreError) -> Timestamp? {
    try store.transaction { (state) throws(StoreError) in state.brakeSince }
  }

  package func engageBrake(at now: Timestamp) async throws(StoreError) -> Bool {
    try store.transaction { (state) throws(StoreError) in
      guard state.brakeSince == nil else { return false }
      state.brakeSince = now
      return true
    }
  }

  package func releaseBrake() async throws(StoreError) -> Timestamp? {
    try store.transaction { (state) throws(StoreError) in
      guard let since = state.brakeSince else { return nil }
      state.brakeSince = nil
      state.refreshes = []
      return since
    }
  }
}
