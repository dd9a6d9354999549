/// Reads for many callers at once: all that wait see the database at one moment, which is after every
/// write that was acknowledged before they asked. Runs on its own thread.
final class Reader {
  let connection: SQLiteConnection
  /// Connections that were decoded and opened before.
  let cache = ConnectionCache(capacity: 4096)

  init(connection: SQLiteConnection) { self.connection = connection }

  /// One caller's question; given the failure instead when the database cannot be read.
  typealias Read = @Sendable (Result<Reader, SQLiteError>) -> Void

  /// Reads what `queue` brings until it is closed.
  func run(_ queue: JobQueue<Read>) {
    var batch: [Read] = []
    while queue.takeAll(into: &batch) {
      do throws(SQLiteError) {
        try connection.beginReading()
      } catch {
        for read in batch { read(.failure(error)) }
        continue
      }
      for read in batch { read(.success(self)) }
      // Ends the snapshot; there is nothing to commit that could fail.
      connection.rollBack()
    }
  }
}
