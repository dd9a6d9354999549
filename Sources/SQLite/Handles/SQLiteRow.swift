import CSQLite
import Primitives

/// One row of a result; to be read before its statement goes on. Columns are counted from 0.
struct SQLiteRow {
  let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  func timestamp(_ column: Int32) -> Timestamp { Timestamp(microseconds: integer(column)) }

  /// Any bytes stand in it, NUL included. Empty when it is NULL.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    // The length is asked for after the text, which may have been converted (sqlite.org/c3ref/column_blob.html).
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  func optionalTimestamp(_ column: Int32) -> Timestamp? { isNull(column) ? nil : timestamp(column) }
  func identifier<Thing>(_ column: Int32) -> Identifier<Thing> { Identifier(text(column)) }
}
