import Synchronization

/// Holds whoever comes to it until a test opens it.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var held: [CheckedContinuation<Void, Never>] = []
    var watchers: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  /// A closed gate.
  package init() {}

  /// Lets everyone through from now on.
  package func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  /// Whether somebody has come to the gate.
  package var hasArrival: Bool { state.withLock { $0.arrivals > 0 } }

  /// Returns when somebody has come to the gate.
  package func arrival() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals == 0 { state.watchers.append(continuation) }
        return state.arrivals > 0
      }
      if isThere { continuation.resume() }
    }
  }

  /// Waits until it is open.
  package func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.held.append(continuation) }
        defer { state.watchers = [] }
        return (state.isOpen, state.watchers)
      }
      for watcher in watchers { watcher.resume() }
      if isOpen { continuation.resume() }
    }
  }
}
