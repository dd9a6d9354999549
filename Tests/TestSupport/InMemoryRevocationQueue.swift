import Domain
import Primitives

/// Revocations owed, in memory.
package struct InMemoryRevocationQueue: RevocationQueue {
  private let store: InMemoryStore

  /// The queue of `store`.
  package init(_ store: InMemoryStore) { self.store = store }

  package func due(at now: Timestamp, limit: Int) async throws(StoreError) -> [String] {
    try store.transaction { (state) throws(StoreError) in
      let due = state.orders.values.filter { $0.nextAttemptAt <= now }
      return Array(due.sorted { $0.nextAttemptAt < $1.nextAttemptAt }.map(\.order.id).prefix(limit))
    }
  }

  package func begin(_ id: String, at now: Timestamp) async throws(StoreError) -> RevocationStart {
    try store.transaction { (state) throws(StoreError) in
      guard let order = state.orders[id]?.order else { return .gone }
      guard !state.secrets.values.contains(where: { $0.subject == order.subject }) else {
        state.orders[id] = nil
        return .held
      }
      if let running = state.marks[order.subject]?.mark, running.isRunning(at: now) { return .busy }
      state.purgeMarks(at: now)
      state.marks[order.subject] = InMemoryStore.Mark(
        orderID: id, mark: RevocationMark(startedAt: now, endedAt: nil))
      return .marked(order)
    }
  }

  package func finish(_ order: RevocationOrder, at now: Timestamp, retryAt: Timestamp?)
    async throws(StoreError)
  {
    try store.transaction { (state) throws(StoreError) in
      if let retryAt {
        state.orders[order.id]?.nextAttemptAt = retryAt
      } else {
        state.orders[order.id] = nil
      }
      let mark = state.marks[order.subject]
      if mark == nil || mark?.orderID == order.id {
        let startedAt = mark?.mark.startedAt ?? now
        state.marks[order.subject] = InMemoryStore.Mark(
          orderID: order.id, mark: RevocationMark(startedAt: startedAt, endedAt: now))
      }
      state.purgeMarks(at: now)
    }
  }
}

extension InMemoryStore.State {
  fileprivate mutating func purgeMarks(at now: Timestamp) {
    marks = marks.filter {
      ($0.value.mark.endedAt ?? $0.value.mark.startedAt) > now - RevocationMark.remembered
    }
  }
}
