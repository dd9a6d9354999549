import Primitives
import Synchronization

/// A log whose lines a test reads.
package final class CapturedLog: Sendable {
  private let captured = Mutex<[String]>([])
  private let clock: TestClock

  /// A log dated by `clock`.
  package init(clock: TestClock) { self.clock = clock }

  /// The log to give by `init`.
  package var log: Log {
    Log(clock: { self.clock.now }, emit: { line in self.captured.withLock { $0.append(line) } })
  }

  /// Every line so far.
  package var lines: [String] { captured.withLock { $0 } }

  /// The lines that the operator must act on.
  package var alerts: [String] { lines.filter { $0.contains(#""level":"alert""#) } }

  /// How many lines tell of `event`.
  package func count(of event: String) -> Int {
    lines.filter { $0.contains("\"event\":\"\(event)\"") }.count
  }
}
