import Primitives

/// Accepts connections on one loop and shares them out among all, in turn.
///
/// When there is no place or no descriptor for another, it takes the listener out of epoll, which would
/// report it without end, until a connection closes or, out of descriptors, half a second has passed.
final class Acceptor {
  static let token = UInt64.max - 1
  private static let pauseMicroseconds: Int64 = 500_000
  private let listener: Listener
  private let loops: [EventLoop]
  private let admission: Admission
  private let log: Log
  private var turn = 0
  private var isPaused = false
  /// When to try again.
  private(set) var resumesAt: Int64?

  init(listener: consuming Listener, loops: [EventLoop], admission: Admission, log: Log) {
    self.listener = listener
    self.loops = loops
    self.admission = admission
    self.log = log
  }

  /// Begins to accept on `loop`.
  func start(on loop: EventLoop) { _ = loop.poller.addListener(listener.descriptor, token: Self.token) }

  /// Accepts some of those who wait; epoll reports the others again.
  func accept(on loop: EventLoop) {
    for _ in 0..<64 where !isPaused {
      guard acceptOne(on: loop) else { return }
    }
  }

  private func acceptOne(on loop: EventLoop) -> Bool {
    guard admission.enter() else {
      pause(on: loop, reason: "connection limit", until: nil)
      return false
    }
    switch listener.accept() {
    case .connection(let connection):
      loops[turn].adopt(connection)
      turn = (turn + 1) % loops.count
      return true
    case .none:
      _ = admission.leave()
      return false
    case .exhausted(let reason):
      _ = admission.leave()
      pause(on: loop, reason: reason, until: loop.now + Self.pauseMicroseconds)
      return false
    }
  }

  private func pause(on loop: EventLoop, reason: String, until moment: Int64?) {
    isPaused = true
    resumesAt = moment
    loop.poller.remove(listener.descriptor)
    log.warning("accepting_paused", [("reason", .string(reason))])
    // A place that was given back before it was asked for would never be told of.
    if admission.awaitPlace(), moment == nil { resume(on: loop) }
  }

  /// Goes on accepting.
  func resume(on loop: EventLoop) {
    guard isPaused else { return }
    isPaused = false
    resumesAt = nil
    start(on: loop)
  }

  /// Accepts those who wait already, for their requests may have come, and no more; then tells every
  /// loop to end.
  func finish(on loop: EventLoop) {
    for _ in 0..<4096 where !isPaused {
      guard acceptOne(on: loop) else { break }
    }
    loop.poller.remove(listener.descriptor)
    for other in loops where other !== loop { other.post(.drain) }
  }
}
