/// Why a database was not opened.
package enum SQLiteOpenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A newer program wrote it: its schema is `found`, and this one knows `known`.
  case newer(found: Int64, known: Int64)
  /// The file is a database of something else.
  case foreign
  /// The file could not be made; the system's error number.
  case notCreated(errno: Int32)
  /// The system has no thread left.
  case noThread
  /// SQLite could not do it.
  case failed(SQLiteError)

  /// A sentence for the operator.
  package var description: String {
    switch self {
    case .newer(let found, let known):
      "the database has schema version \(found), and this program knows \(known) at most; run a newer program"
    case .foreign: "the file is a database of another program"
    case .notCreated(let errno): "the database file cannot be made (errno \(errno))"
    case .noThread: "no thread could be started for the database"
    case .failed(let error): "SQLite: \(error)"
    }
  }
}
