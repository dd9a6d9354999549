import Glibc
import Synchronization

/// A few threads of the lowest priority that hash passwords first come, first served: a quarter of a second
/// of work each must hold up neither the cooperative pool nor the event threads.
final class PasswordWorkers: Sendable {
  typealias Job = @Sendable (borrowing Bcrypt) -> Void

  private let queue = PasswordQueue()
  private let count: Int

  /// Starts `count` threads.
  init(count: Int) {
    precondition(count > 0)
    self.count = count
    for _ in 0..<count { Self.startThread(serving: queue) }
  }

  /// Lets the threads end, which they do when nothing is left to do. Whoever waits for a job keeps this
  /// object.
  deinit { for _ in 0..<count { queue.append(nil) } }

  /// What `work` returns, computed on one of the threads.
  func run<Result: Sendable>(_ work: @escaping @Sendable (borrowing Bcrypt) -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.append { continuation.resume(returning: work($0)) }
    }
  }

  private static func startThread(serving queue: PasswordQueue) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(queue)
    let status = pthread_create(
      &thread, nil,
      { context in
        context.map { Unmanaged<PasswordQueue>.fromOpaque($0).takeRetainedValue() }?.serve()
        return nil
      }, context.toOpaque())
    precondition(status == 0, "no thread for hashing passwords")
    pthread_detach(thread)
  }
}

/// The jobs that wait. Unchecked: the queue is behind a lock, and a semaphore is made to be shared.
private final class PasswordQueue: @unchecked Sendable {
  private struct State {
    /// Nil ends a thread.
    var jobs: [PasswordWorkers.Job?] = []
    var next = 0
  }

  private let state = Mutex(State())
  private let available = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    let status = sem_init(available, 0, 0)
    precondition(status == 0, "no semaphore for hashing passwords")
  }

  deinit {
    sem_destroy(available)
    available.deallocate()
  }

  func append(_ job: PasswordWorkers.Job?) {
    state.withLock { $0.jobs.append(job) }
    sem_post(available)
  }

  /// Does the jobs until one is nil.
  func serve() {
    blockSignals()
    // 0 means the calling thread. A failure only leaves the priority as it is.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
    let bcrypt = Bcrypt()
    while let job = take() { job(bcrypt) }
  }

  /// The longest waiting job, waited for.
  private func take() -> PasswordWorkers.Job? {
    while sem_wait(available) != 0 {}  // interrupted
    return state.withLock { state in
      defer {
        state.next += 1
        if state.next == state.jobs.count {
          state.jobs.removeAll()
          state.next = 0
        }
      }
      defer { state.jobs[state.next] = nil }
      return state.jobs[state.next]
    }
  }

  /// Signals are for the threads that expect them.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}
