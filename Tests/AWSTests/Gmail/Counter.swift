import Synchronization

/// Counts what happens, and remembers whether it is over.
final class Counter: Sendable {
  private let state = Mutex((count: 0, isOver: false))

  /// How often this was asked for before.
  func next() -> Int {
    state.withLock { state in
      defer { state.count += 1 }
      return state.count
    }
  }

  /// Whether ``end()`` was called.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// From now on it is over.
  func end() { state.withLock { $0.isOver = true } }
}
