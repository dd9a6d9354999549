/// One connection that reads. One caller at a time has it.
final class Reader {
  let connection: SQLiteConnection
  let cache: ConnectionCache

  /// Opens the file at `path`. A lock that somebody else holds is waited for up to `busyTimeout`.
  init(path: String, busyTimeout: Duration, cache: ConnectionCache) throws(SQLiteError) {
    self.cache = cache
    connection = try SQLiteConnection(path: path, mode: .readOnly, busyTimeout: busyTimeout)
    try connection.script("PRAGMA cache_size = -8000")
  }

  /// What several statements in `body` find at one moment; a single one sees one moment by itself.
  func atOneMoment<Answer>(_ body: () throws -> Answer) throws -> Answer {
    try connection.beginReading()
    // Ends the snapshot; there is nothing to commit that could fail.
    defer { connection.rollBack() }
    return try body()
  }
}
