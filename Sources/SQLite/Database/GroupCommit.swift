import Domain
import Synchronization

/// One caller's part of a write transaction.
struct Write: Sendable {
  /// Makes the changes; what it returns is called once they are durable.
  let attempt: @Sendable (SQLiteConnection) throws -> (@Sendable () -> Void)
  /// Called instead when nothing of it was kept.
  let fail: @Sendable (any Error) -> Void
}

/// Writes what many callers want in one transaction, so that they share one fsync. Runs on its own thread.
final class GroupCommit {
  private let connection: SQLiteConnection
  private let statistics: Statistics

  /// How many transactions there were, and how many writes in them.
  final class Statistics: Sendable {
    let transactions = Atomic<Int>(0)
    let writes = Atomic<Int>(0)
  }

  /// A transaction with more would keep the last ones' callers waiting for too long.
  private static let largestGroup = 256

  init(connection: SQLiteConnection, statistics: Statistics) {
    self.connection = connection
    self.statistics = statistics
  }

  /// Writes what `queue` brings until it is closed, then copies the log into the database.
  func run(_ queue: JobQueue<Write>) {
    var batch: [Write] = []
    while queue.takeAll(into: &batch) {
      for start in stride(from: 0, to: batch.count, by: Self.largestGroup) {
        write(batch[start..<min(start + Self.largestGroup, batch.count)])
      }
    }
    // Another process that reads at this moment is no harm: the last one to close does it.
    _ = try? connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func write(_ group: ArraySlice<Write>) {
    statistics.transactions.add(1, ordering: .relaxed)
    statistics.writes.add(group.count, ordering: .relaxed)
    var announcements: [@Sendable () -> Void] = []
    announcements.reserveCapacity(group.count)
    do {
      try connection.beginImmediate()
      for write in group { announcements.append(try attempt(write)) }
      try connection.commit()
    } catch {
      connection.rollBack()
      for write in group { write.fail(error) }
      return
    }
    for announce in announcements { announce() }
  }

  /// Throws only when the whole transaction is lost.
  private func attempt(_ write: Write) throws -> @Sendable () -> Void {
    do {
      return try connection.savepoint { try write.attempt(connection) }
    } catch {
      guard connection.isInTransaction else { throw error }
      return { write.fail(error) }
    }
  }
}
