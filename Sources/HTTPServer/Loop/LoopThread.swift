import CLinux
import Glibc

/// A thread outside the cooperative pool, which may wait.
enum LoopThread {
  private final class Work {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `work` on a new thread that takes no signals: they are for the process, and a broken pipe is
  /// reported by the write.
  @discardableResult
  static func start(name: String, _ work: @escaping @Sendable () -> Void) -> pthread_t {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Work(work))
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    precondition(result == 0, "no thread can be started: \(SystemError.text(result))")
    pthread_setname_np(thread, name)
    pthread_detach(thread)
    return thread
  }
}
