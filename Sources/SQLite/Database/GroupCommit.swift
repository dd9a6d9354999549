import Domain
import Synchronization

/// One caller's part of a write transaction.
final class Write: Sendable {
  /// Makes the changes. It may have to make them a second time, after the first ones were undone.
  let attempt: @Sendable (SQLiteConnection) throws -> Void
  /// Is told why nothing of it was kept; nil once the changes are durable.
  let caller: CheckedContinuation<(any Error)?, Never>

  init(
    attempt: @escaping @Sendable (SQLiteConnection) throws -> Void,
    caller: CheckedContinuation<(any Error)?, Never>
  ) {
    self.attempt = attempt
    self.caller = caller
  }
}

/// Writes what many callers want in one transaction, so that they share one fsync. Runs on its own thread.
final class GroupCommit {
  private let connection: SQLiteConnection
  private let statistics: Statistics

  /// How many transactions there were, and how many writes in them.
  final class Statistics: Sendable {
    let transactions = Atomic<Int>(0)
    let writes = Atomic<Int>(0)

    fileprivate func count(_ group: Int) {
      transactions.add(1, ordering: .relaxed)
      writes.add(group, ordering: .relaxed)
    }
  }

  /// With more, a transaction takes nobody on: its first callers have waited long enough.
  private static let largestGroup = 256

  init(connection: SQLiteConnection, statistics: Statistics) {
    self.connection = connection
    self.statistics = statistics
  }

  /// Writes what `queue` brings until it is closed, then copies the log into the database.
  func run(_ queue: JobQueue<Write>) {
    while let first = queue.takeAll() { write(first, and: queue) }
    // Another process that reads at this moment is no harm: the last one to close does it.
    _ = try? connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func write(_ first: consuming [Write], and queue: JobQueue<Write>) {
    var group = first
    let failures: [(any Error)?]
    do {
      failures = try commit(&group, and: queue)
    } catch {
      connection.rollBack()
      failures = group.map { _ in error }
    }
    let callers = group.map(\.caller)
    // What each caller made is let go of by itself, not by the thread that all wait for.
    group = []
    for (caller, failure) in zip(callers, failures) { caller.resume(returning: failure) }
  }

  /// Makes the changes of the group, and of whoever comes meanwhile, durable. Gives why one was not made, for each of
  /// them; throws only when the whole transaction is lost.
  private func commit(_ group: inout [Write], and queue: JobQueue<Write>) throws -> [(any Error)?] {
    try connection.beginImmediate()
    let failures = try attempt(&group, and: queue) ?? attemptUndoably(group)
    statistics.count(group.count)
    try connection.commit()
    return failures
  }

  /// Makes all changes, with nothing kept for undoing one write alone, since that copies every page that it touches.
  /// Nil when it would be needed: a write failed halfway.
  private func attempt(_ group: inout [Write], and queue: JobQueue<Write>) throws -> [(any Error)?]? {
    var failures: [(any Error)?] = []
    while failures.count < group.count {
      let changes = connection.totalChanges
      let write = group[failures.count]
      let failure = try failure { try write.attempt(connection) }
      guard failure == nil || connection.totalChanges == changes else { return nil }
      failures.append(failure)
      // Whoever came while the others' changes were made gets on too.
      if failures.count == group.count, group.count < Self.largestGroup { queue.takeWaiting(onto: &group) }
    }
    return failures
  }

  /// Makes them anew, so that each can be undone by itself.
  private func attemptUndoably(_ group: [Write]) throws -> [(any Error)?] {
    connection.rollBack()
    try connection.beginImmediate()
    return try group.map { write in
      try failure { try connection.savepoint { try write.attempt(connection) } }
    }
  }

  /// Why the changes of `body` were not made; throws when the whole transaction is lost.
  private func failure(of body: () throws -> Void) throws -> (any Error)? {
    var failure: (any Error)?
    do { try body() } catch { failure = error }
    // A full disk, for one, ends it with whatever is in it.
    guard connection.isInTransaction else { throw failure ?? StoreError.unavailable }
    return failure
  }
}
