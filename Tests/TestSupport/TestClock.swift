import Primitives
import Synchronization

/// A clock that stands still until a test moves it.
package final class TestClock: Sendable {
  private struct Sleeper {
    let deadline: Timestamp
    let continuation: CheckedContinuation<Void, any Error>
  }
  private struct State {
    var now: Timestamp
    var nextTicket: UInt64 = 0
    var sleepers: [UInt64: Sleeper] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Takes out the watchers who have seen enough sleepers.
    mutating func satisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
      let count = sleepers.count
      let satisfied = watchers.filter { $0.count <= count }.map(\.continuation)
      watchers.removeAll { $0.count <= count }
      return satisfied
    }
  }
  private let state: Mutex<State>

  /// A clock that shows `start`, by default 2025-01-01T00:00:00Z.
  package init(at start: Timestamp = Timestamp(seconds: 1_735_689_600)) {
    state = Mutex(State(now: start))
  }

  /// What it shows; setting it wakes whoever slept until then. It may be set back too.
  package var now: Timestamp {
    get { state.withLock { $0.now } }
    set { show(newValue) }
  }

  /// Moves it on by `duration`, and wakes whoever slept until then, the earliest first.
  package func advance(by duration: Duration) { show(now + duration) }

  /// This clock, to give by `init`.
  package var source: TimeSource {
    TimeSource(now: { self.now }, sleep: { try await self.sleep($0) })
  }

  /// Returns when at least `count` tasks sleep.
  package func waitForSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let satisfied = state.withLock { state in
        state.watchers.append((count, continuation))
        return state.satisfiedWatchers()
      }
      for watcher in satisfied { watcher.resume() }
    }
  }

  private func show(_ moment: Timestamp) {
    let woken = state.withLock { state in
      state.now = moment
      let due = state.sleepers.filter { $0.value.deadline <= moment }
      for ticket in due.keys { state.sleepers[ticket] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(
        \.value.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  private func sleep(_ duration: Duration) async throws {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { fallAsleep(ticket, duration, $0) }
    } onCancel: {
      wake(ticket)
    }
  }

  private func fallAsleep(
    _ ticket: UInt64, _ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let satisfied: [CheckedContinuation<Void, Never>]? = state.withLock { state in
      guard duration > .zero else { return nil }
      state.sleepers[ticket] = Sleeper(deadline: state.now + duration, continuation: continuation)
      return state.satisfiedWatchers()
    }
    guard let satisfied else { return continuation.resume() }
    for watcher in satisfied { watcher.resume() }
    // Cancelled before it was there to be woken.
    if Task.isCancelled { wake(ticket) }
  }

  private func wake(_ ticket: UInt64) {
    state.withLock { $0.sleepers.removeValue(forKey: ticket) }?.continuation.resume(
      throwing: CancellationError())
  }
}
