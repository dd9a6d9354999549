import CSQLite
import Primitives

/// Owns one `sqlite3_stmt*`: finalized when it goes.
final class SQLiteStatement {
  let sql: StaticString
  let pointer: OpaquePointer
  /// The texts and blobs that are bound.
  private var bound = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(preparing sql: StaticString, on database: OpaquePointer) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql.utf8Start, Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil
    )
    guard code == SQLITE_OK, let prepared else { throw SQLiteError(code: code, operation: sql) }
    self.sql = sql
    pointer = prepared
  }

  deinit {
    // Its result repeats the last step's failure, which was thrown already.
    sqlite3_finalize(pointer)
    bound.deallocate()
  }

  func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    precondition(values.count == Int(sqlite3_bind_parameter_count(pointer)), "a value for each parameter")
    makeRoom(for: values.reduce(0) { $0 + $1.byteCount })
    var end = 0
    for (offset, value) in values.enumerated() { try check(bind(value, at: Int32(offset + 1), &end)) }
  }

  // Else each value would be copied for the call.
  @inline(__always)
  private func bind(_ value: SQLiteValue, at index: Int32, _ end: inout Int) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(pointer, index)
    case .integer(let number): return sqlite3_bind_int64(pointer, index, number)
    case .text(let text):
      let place = text.withContiguousUTF8 { keep(UnsafeRawBufferPointer($0), &end) }
      return csqlite_bind_text(pointer, index, place.baseAddress, UInt64(place.count))
    case .blob(let bytes):
      let place = bytes.withUnsafeBytes { keep($0, &end) }
      return csqlite_bind_blob(pointer, index, place.baseAddress, UInt64(place.count))
    }
  }

  /// Copies a value to where it stays until the statement is reset. SQLite would allocate memory for each.
  private func keep(_ bytes: UnsafeRawBufferPointer, _ end: inout Int) -> UnsafeMutableRawBufferPointer {
    let place = UnsafeMutableRawBufferPointer(rebasing: bound[end..<(end + bytes.count)])
    place.copyMemory(from: bytes)
    end += bytes.count
    return place
  }

  /// At least one byte: SQLite takes a value without an address for NULL.
  private func makeRoom(for count: Int) {
    guard bound.count < max(1, count) else { return }
    bound.deallocate()
    bound = .allocate(byteCount: max(64, 2 * count), alignment: 1)
  }

  /// Goes on to the next row; nil when there is none.
  func step() throws(SQLiteError) -> SQLiteRow? {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return SQLiteRow(statement: pointer)
    case SQLITE_DONE: return nil
    case let code: throw SQLiteError(code: code, operation: sql)
    }
  }

  /// Makes it ready for its next use, when every parameter is bound anew. Reset's result repeats the last step's.
  func reset() { sqlite3_reset(pointer) }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw SQLiteError(code: code, operation: sql) }
  }
}
