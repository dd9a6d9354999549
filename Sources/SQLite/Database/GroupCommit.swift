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
    var batch: [Write] = []
    while queue.takeAll(into: &batch) { write(batch, and: queue) }
    // Another process that reads at this moment is no harm: the last one to close does it.
    _ = try? connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func write(_ first: [Write], and queue: JobQueue<Write>) {
    var group = first
    var announcements: [@Sendable () -> Void] = []
    do {
      try connection.beginImmediate()
      while announcements.count < group.count {
        announcements.append(try attempt(group[announcements.count]))
        // Whoever came while the others' changes were made gets on too.
        if announcements.count == group.count, group.count < Self.largestGroup {
          queue.takeWaiting(onto: &group)
        }
      }
      statistics.count(group.count)
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
