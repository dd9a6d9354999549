import Glibc

/// A thread of the system, for calls that block: never the cooperative pool's.
enum DatabaseThread {
  /// Starts a thread that runs `body` on `value`, which nobody else has; then lets go of the value, and then
  /// runs `finally`. False, and neither run, when the system has no thread left.
  static func start<Value>(
    with value: sending Value, body: @escaping @Sendable (Value) -> Void,
    finally: @escaping @Sendable () -> Void
  ) -> Bool {
    let handover = Handover(value)
    return start {
      handover.use(body)
      finally()
    }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let raw = Unmanaged.passRetained(Start(body: body)).toOpaque()
    var thread = pthread_t()
    // Signals are for the threads that wait for them; a new thread inherits its maker's mask.
    var mask = sigset_t()
    var old = sigset_t()
    sigfillset(&mask)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT] { sigdelset(&mask, fault) }
    pthread_sigmask(SIG_BLOCK, &mask, &old)
    defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
    let code = pthread_create(
      &thread, nil,
      { raw in
        guard let raw else { return nil }
        Unmanaged<Start>.fromOpaque(raw).takeRetainedValue().body()
        return nil
      }, raw)
    guard code == 0 else {
      Unmanaged<Start>.fromOpaque(raw).release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Unchecked: the maker sent the value away, and the new thread alone touches it.
  private final class Handover<Value>: @unchecked Sendable {
    private var value: Value?
    init(_ value: Value) { self.value = value }

    func use(_ body: (Value) -> Void) {
      guard let value = value.take() else { return }
      body(value)
    }
  }
}
