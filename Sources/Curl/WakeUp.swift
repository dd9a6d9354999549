import CCurl
import Glibc

/// Wakes a thread that waits in `poll`, from any thread. Owns an `eventfd`.
struct WakeUp: ~Copyable {
  /// Readable after ``call()``.
  let descriptor: Int32

  init() {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    precondition(descriptor >= 0, "no descriptor for HTTP transfers")
  }

  deinit { close(descriptor) }

  /// Wakes the thread, now or when it waits next.
  func call() {
    // Fails only when it is at its highest number: readable all the same.
    eventfd_write(descriptor, 1)
  }

  /// For the thread: what woke it is over.
  func clear() {
    var count: eventfd_t = 0
    eventfd_read(descriptor, &count)
  }
}
