import CSQLite

/// A failure that SQLite reported. It holds the result code and what was being done, never a bound value.
package struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  package let code: Int32
  /// The statement's fixed text, or the name of the operation.
  package let operation: String

  init(code: Int32, operation: StaticString) {
    self.code = code
    self.operation = "\(operation)"
  }

  /// Whether somebody else holds the lock.
  package var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

  /// SQLite's fixed text for the code, the code, and the operation.
  package var description: String { "\(String(cString: sqlite3_errstr(code))) (\(code)) in \(operation)" }
}
