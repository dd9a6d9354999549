import CSQLite

/// Owns one `sqlite3_stmt*`: finalized when it goes.
final class SQLiteStatement {
  let sql: StaticString
  let pointer: OpaquePointer

  init(preparing sql: StaticString, on database: OpaquePointer) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql.utf8Start, Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil
    )
    guard code == SQLITE_OK, let prepared else { throw SQLiteError(code: code, operation: sql) }
    self.sql = sql
    pointer = prepared
  }

  // Its result repeats the last step's failure, which was thrown already.
  deinit { sqlite3_finalize(pointer) }

  func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    precondition(values.count == Int(sqlite3_bind_parameter_count(pointer)), "a value for each parameter")
    for (offset, value) in values.enumerated() { try check(bind(value, at: Int32(offset + 1))) }
  }

  private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(pointer, index)
    case .integer(let number): sqlite3_bind_int64(pointer, index, number)
    case .text(var text):
      text.withUTF8 { csqlite_bind_text(pointer, index, $0.baseAddress, UInt64($0.count)) }
    case .blob(let bytes):
      bytes.withUnsafeBytes { csqlite_bind_blob(pointer, index, $0.baseAddress, UInt64($0.count)) }
    }
  }

  /// Goes on to the next row; nil when there is none.
  func step() throws(SQLiteError) -> SQLiteRow? {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return SQLiteRow(statement: pointer)
    case SQLITE_DONE: return nil
    case let code: throw SQLiteError(code: code, operation: sql)
    }
  }

  /// Makes it ready for its next use, and forgets what was bound. Reset's result repeats the last step's.
  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw SQLiteError(code: code, operation: sql) }
  }
}
