import Domain
import Synchronization

/// The connections that read: as many as there have been callers at once. A caller reads on its own thread, since a
/// point query takes less time than waking another thread (docs/decisions/0007).
final class Readers: Sendable {
  private struct State {
    var idle: [Lent] = []
    var isClosed = false
  }

  /// Unchecked: whoever took it out of the pool is the only one who has it.
  private struct Lent: @unchecked Sendable { let reader: Reader }

  private let path: String
  private let busyTimeout: Duration
  private let cache: ConnectionCache
  private let state = Mutex(State())

  /// Readers of the file at `path`; each waits up to `busyTimeout` for a lock that somebody else holds.
  init(path: String, busyTimeout: Duration, cache: ConnectionCache) {
    self.path = path
    self.busyTimeout = busyTimeout
    self.cache = cache
  }

  /// What `body` finds with a reader of its own. Fails with `StoreError.unavailable` when the pool is closed.
  func read<Answer>(_ body: (Reader) throws -> Answer) throws -> Answer {
    let lent = try take()
    defer { giveBack(lent) }
    return try body(lent.reader)
  }

  /// Closes those that are idle now, and the others as they come back.
  func close() {
    // Closed outside the lock.
    let idle = state.withLock { state in
      state.isClosed = true
      return exchange(&state.idle, with: [])
    }
    _ = consume idle
  }

  private func take() throws -> Lent {
    let lent = try state.withLock { state throws(StoreError) in
      guard !state.isClosed else { throw .unavailable }
      return state.idle.popLast()
    }
    return try lent ?? Lent(reader: Reader(path: path, busyTimeout: busyTimeout, cache: cache))
  }

  private func giveBack(_ lent: Lent) {
    state.withLock { state in
      if !state.isClosed { state.idle.append(lent) }
    }
  }
}
