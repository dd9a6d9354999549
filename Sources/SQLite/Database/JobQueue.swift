import Glibc
import Synchronization

/// Work for one thread. The thread takes all that waits at once, so that jobs can share what a batch costs.
final class JobQueue<Job: Sendable>: Sendable {
  private struct State {
    var jobs: [Job] = []
    /// Whether the thread has found nothing to do; whoever changes that wakes it, once.
    var isIdle = false
    var isClosed = false
    var isFinished = false
    var watchers: [CheckedContinuation<Void, Never>] = []

    mutating func wakes() -> Bool { exchange(&isIdle, with: false) }
  }
  private let state = Mutex(State())
  private let signal = Signal()

  /// How many jobs wait.
  var count: Int { state.withLock { $0.jobs.count } }

  /// Adds a job; false when the queue is closed.
  func append(_ job: Job) -> Bool {
    let (isQueued, wakes) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      state.jobs.append(job)
      return (true, state.wakes())
    }
    if wakes { signal.post() }
    return isQueued
  }

  /// For the thread: waits for work and takes all of it. Nil when the queue is closed and empty.
  func takeAll() -> [Job]? {
    while true {
      let (jobs, isClosed) = state.withLock { state in
        state.isIdle = state.jobs.isEmpty && !state.isClosed
        return (exchange(&state.jobs, with: []), state.isClosed)
      }
      if !jobs.isEmpty { return jobs }
      if isClosed { return nil }
      signal.wait()
    }
  }

  /// For the thread: adds what waits now, which may be nothing, to `batch`.
  func takeWaiting(onto batch: inout [Job]) {
    let waiting = state.withLock { exchange(&$0.jobs, with: []) }
    batch += waiting
  }

  /// Takes no more jobs; those that wait are done yet.
  func close() {
    let wakes = state.withLock { state in
      state.isClosed = true
      return state.wakes()
    }
    if wakes { signal.post() }
  }

  /// For the thread: it is at its end.
  func finish() {
    let watchers = state.withLock { state in
      state.isFinished = true
      return exchange(&state.watchers, with: [])
    }
    for watcher in watchers { watcher.resume() }
  }

  /// Returns when the thread is at its end.
  func waitUntilFinished() async {
    await withCheckedContinuation { continuation in
      let isFinished = state.withLock { state in
        if !state.isFinished { state.watchers.append(continuation) }
        return state.isFinished
      }
      if isFinished { continuation.resume() }
    }
  }
}

/// Owns a POSIX semaphore.
///
/// Unchecked: `sem_post` and `sem_wait` are made to be called from several threads.
private final class Signal: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    guard sem_init(semaphore, 0, 0) == 0 else { fatalError("sem_init failed: \(errno)") }
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func post() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 && errno == EINTR {} }
}
