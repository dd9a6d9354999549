import Synchronization

@testable import HTTPServer

/// Opens once; tasks wait for it without holding a thread.
final class Latch: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Lets everyone through, now and later; from any thread.
  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when it is open.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Runs `work`, which may block, on a thread of its own; in a task, so that what it records is this test's.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await Task(executorPreference: ThreadExecutor()) { try work() }.value
}

/// Gives every piece of a task a new thread.
private final class ThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    LoopThread.start(name: "test") { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
