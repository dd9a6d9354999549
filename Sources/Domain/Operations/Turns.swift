/// Lets one caller per key in at a time, in the order they came.
package actor Turns<Key: Hashable & Sendable> {
  private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

  /// Nobody is in.
  package init() {}

  /// Returns when it is the caller's turn, who then has to ``leave(_:)``.
  package func take(_ key: Key) async {
    if waiting[key] == nil {
      waiting[key] = []
    } else {
      await withCheckedContinuation { waiting[key]?.append($0) }
    }
  }

  /// Lets the next one in.
  package func leave(_ key: Key) {
    guard let next = waiting[key]?.first else {
      waiting[key] = nil
      return
    }
    waiting[key]?.removeFirst()
    next.resume()
  }
}
