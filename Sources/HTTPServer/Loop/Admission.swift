import Synchronization

/// Counts the open connections of all loops against the limit.
final class Admission: Sendable {
  private let limit: Int
  private let open = Atomic<Int>(0)
  private let isAwaited = Atomic<Bool>(false)

  init(limit: Int) { self.limit = limit }

  /// What the process's descriptors allow, some left for files and outgoing calls; at most 10,000.
  static var defaultLimit: Int { max(16, min(10_000, DescriptorLimit.current - 128)) }

  /// Takes a place if there is one.
  func enter() -> Bool {
    if open.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue <= limit { return true }
    open.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    return false
  }

  /// Gives a place back. True when someone asked to be told, with ``awaitPlace()``.
  func leave() -> Bool {
    open.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    return isAwaited.exchange(false, ordering: .sequentiallyConsistent)
  }

  /// Asks the next ``leave()`` to tell. Whether there is a place already.
  func awaitPlace() -> Bool {
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    return open.load(ordering: .sequentiallyConsistent) < limit
  }
}
