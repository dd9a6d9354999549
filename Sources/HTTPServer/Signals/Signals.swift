import CLinux
import Glibc

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
package enum Signals {
  /// Keeps `signals` from ending the process, and SIGPIPE too. To be called before the first thread
  /// starts: threads inherit the mask, and one without it would be struck down.
  package static func block(_ signals: [Signal] = Signal.allCases) {
    var set = set(of: signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Each of `signals` as it comes; blocked ones wait for it. Its thread lives as long as the process.
  package static func stream(_ signals: [Signal] = Signal.allCases) -> AsyncStream<Signal> {
    listen(signals).stream
  }

  /// The stream, and the thread that waits for the signals.
  static func listen(_ signals: [Signal]) -> (stream: AsyncStream<Signal>, thread: pthread_t) {
    let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
    let thread = LoopThread.start(name: "signals") {
      var set = set(of: signals)
      while true {
        var number: Int32 = 0
        guard sigwait(&set, &number) == 0 else { continue }
        if let signal = signals.first(where: { $0.number == number }) { continuation.yield(signal) }
      }
    }
    return (stream, thread)
  }

  private static func set(of signals: [Signal]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.number) }
    return set
  }
}
