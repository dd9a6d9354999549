import CSQLite

/// Owns one `sqlite3*`: closed when it goes.
struct SQLiteHandle: ~Copyable {
  let pointer: OpaquePointer

  /// Set up before the first handle; refused, and without a use, when somebody else set SQLite up before.
  private static let libraryStatus = csqlite_count_no_memory()

  /// Opens the file at `path`; one thread at a time may use it.
  init(opening path: String, flags: Int32) throws(SQLiteError) {
    _ = Self.libraryStatus
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE, nil)
    guard code == SQLITE_OK, let opened else {
      // Even a failed open may leave a handle (sqlite.org/c3ref/open.html).
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code, operation: "open")
    }
    pointer = opened
  }

  // Statements that are finalized later keep it half open until then.
  deinit { sqlite3_close_v2(pointer) }
}
