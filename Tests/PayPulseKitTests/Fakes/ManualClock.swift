import Primitives
import Synchronization

/// A clock that only the test moves; a sleep passes at once, and moves it.
final class ManualClock: Sendable {
  private let moment = Mutex(Timestamp(seconds: 1_800_000_000))
  private let slept = Mutex<[Duration]>([])

  var now: Timestamp { moment.withLock { $0 } }
  var sleeps: [Duration] { slept.withLock { $0 } }
  func advance(_ duration: Duration) { moment.withLock { $0 = $0 + duration } }

  var source: TimeSource {
    TimeSource(
      now: { self.now },
      sleep: { duration in
        self.slept.withLock { $0.append(duration) }
        self.advance(duration)
      })
  }
}
