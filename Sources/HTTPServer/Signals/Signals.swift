import CLinux
import Glibc
import Synchronization

/// A signal that a server acts on.
package enum Signal: Sendable, CaseIterable {
  /// SIGTERM: end in order.
  case terminate
  /// SIGINT, Ctrl-C: end in order.
  case interrupt
  /// SIGHUP: read the certificate again.
  case hangUp

  var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangUp: SIGHUP
    }
  }
}

/// The process's signals as values, handled in ordinary code.
///
/// Blocking them and waiting in `sigwait` would not do: an asynchronous `main` on Linux ends in
/// `dispatch_main`, which leaves the main thread with every signal unblocked.
package enum Signals {
  /// Where the handler writes. A handler is given no context and belongs to the whole process, so this is
  /// the one variable that nobody owns.
  private static let pipe = Atomic<Int32>(-1)

  /// Each of `signals` as it comes, from now on; they no longer end the process, and neither does SIGPIPE.
  /// The stream made last gets them. Its thread and its pipe live as long as the process.
  ///
  /// - Throws: ``HTTPServerError`` when there is no descriptor for the pipe.
  package static func stream(_ signals: [Signal] = Signal.allCases) throws(HTTPServerError) -> AsyncStream<
    Signal
  > {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .system("pipe2") }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    pipe.store(writeEnd, ordering: .sequentiallyConsistent)
    for signal in signals { handle(signal) }
    signal(SIGPIPE, SIG_IGN)
    let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
    LoopThread.start(name: "signals") {
      var number: UInt8 = 0
      while read(readEnd, &number, 1) == 1 {
        if let signal = signals.first(where: { $0.number == Int32(number) }) { continuation.yield(signal) }
      }
    }
    return stream
  }

  /// The handler does what is safe in one (signal-safety(7)): it writes a byte, and leaves `errno` alone.
  private static func handle(_ signal: Signal) {
    var action = sigaction()
    action.sa_flags = SA_RESTART
    action.__sigaction_handler.sa_handler = { number in
      let before = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(Signals.pipe.load(ordering: .relaxed), &byte, 1)
      errno = before
    }
    sigaction(signal.number, &action, nil)
  }
}
