import Primitives
import Synchronization

/// Bytes that never repeat and are the same in every run.
package final class CountingRandom: Sendable {
  private let count = Mutex<UInt64>(0)

  /// A source that begins at one.
  package init() {}

  /// The source to give by `init`: each call gives a number of its own, in its last eight bytes.
  package var source: RandomSource {
    RandomSource { size in
      let number = self.count.withLock { count in
        count += 1
        return count
      }
      return (0..<size).map { index in
        let place = size - 1 - index
        return place < 8 ? UInt8(truncatingIfNeeded: number >> (UInt64(place) * 8)) : 0
      }
    }
  }
}
