import CSQLite
import Glibc

/// One connection to a database, with the statements it has prepared. One thread at a time may use it, so
/// it is not `Sendable`.
///
/// SQL is always a `StaticString`: a value can get into it only by being bound.
package final class SQLiteConnection {
  /// How a file is opened.
  enum Mode {
    case readOnly
    /// The file has to exist.
    case readWrite
  }

  private let handle: SQLiteHandle
  // By the addresses of their literals. There are few, so that looking through them takes less time than hashing.
  private var statements: [(literal: UnsafePointer<UInt8>, statement: SQLiteStatement)] = []

  /// Opens `path`. A lock that somebody else holds is waited for up to `busyTimeout`.
  init(path: String, mode: Mode, busyTimeout: Duration) throws(SQLiteError) {
    handle = try SQLiteHandle(
      opening: path, flags: mode == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
    try check(wait(upTo: busyTimeout), "busy handler")
    try check(csqlite_defend(handle.pointer), "defensive mode")
  }

  /// SQLite's own handler soon sleeps 100 ms at a time, and so hardly ever meets the moment between two
  /// transactions of a process that writes all the time. This one looks every millisecond.
  private func wait(upTo timeout: Duration) -> Int32 {
    let looks = UnsafeMutableRawPointer(bitPattern: Int(timeout / .milliseconds(1)))
    return sqlite3_busy_handler(
      handle.pointer,
      { looks, count in
        guard Int(count) < Int(bitPattern: looks) else { return 0 }
        usleep(1000)
        return 1
      }, looks)
  }

  /// Runs a statement to its end and gives how many rows it changed.
  @discardableResult
  func run(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
    try run(sql, values)
  }

  /// Runs a statement to its end and gives how many rows it changed.
  @discardableResult
  func run(_ sql: StaticString, _ values: [SQLiteValue]) throws(SQLiteError) -> Int {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() != nil {}
    return Int(sqlite3_changes64(handle.pointer))
  }

  /// The first row that a statement finds, as `read` understands it; nil when there is none.
  func first<Result>(_ sql: StaticString, _ values: SQLiteValue..., read: (SQLiteRow) throws -> Result) throws
    -> Result?
  {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step().map(read)
  }

  /// All rows that a statement finds, as `read` understands them.
  func all<Result>(_ sql: StaticString, _ values: SQLiteValue..., read: (SQLiteRow) throws -> Result) throws
    -> [Result]
  {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var results: [Result] = []
    while let row = try statement.step() { results.append(try read(row)) }
    return results
  }

  /// Whether a statement finds a row.
  func exists(_ sql: StaticString, _ value: SQLiteValue) throws -> Bool {
    try first(sql, value) { _ in true } ?? false
  }

  /// Runs several statements that take no values.
  func script(_ sql: StaticString) throws(SQLiteError) {
    let code = sqlite3_exec(
      handle.pointer, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self), nil, nil, nil)
    try check(code, sql)
  }

  private func prepared(_ sql: StaticString) throws(SQLiteError) -> SQLiteStatement {
    if let known = statements.first(where: { $0.literal == sql.utf8Start }) { return known.statement }
    let statement = try SQLiteStatement(preparing: sql, on: handle.pointer)
    statements.append((sql.utf8Start, statement))
    return statement
  }

  private func check(_ code: Int32, _ operation: StaticString) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw SQLiteError(code: code, operation: operation) }
  }
}

// MARK: - Transactions

extension SQLiteConnection {
  /// Whether a transaction is open. Some failures (full disk, I/O) end it (sqlite.org/lang_transaction.html).
  var isInTransaction: Bool { sqlite3_get_autocommit(handle.pointer) == 0 }

  /// How many rows were changed since it was opened (sqlite.org/c3ref/total_changes.html).
  var totalChanges: Int64 { sqlite3_total_changes64(handle.pointer) }

  /// Takes the write lock.
  func beginImmediate() throws(SQLiteError) { try run("BEGIN IMMEDIATE") }

  /// Begins to read: everything until the end is of one moment.
  func beginReading() throws(SQLiteError) { try run("BEGIN") }

  /// Makes everything since the begin durable.
  func commit() throws(SQLiteError) { try run("COMMIT") }

  /// Forgets everything since the begin. Where that fails too, the file's next opener does it.
  func rollBack() { if isInTransaction { _ = try? run("ROLLBACK") } }

  /// Runs `body` in a transaction of its own.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try beginImmediate()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body` within the open transaction; what it changed is undone when it throws, and nothing else.
  func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try run("SAVEPOINT one")
    do {
      let result = try body()
      try run("RELEASE one")
      return result
    } catch {
      if isInTransaction {
        try run("ROLLBACK TO one")
        try run("RELEASE one")
      }
      throw error
    }
  }
}
