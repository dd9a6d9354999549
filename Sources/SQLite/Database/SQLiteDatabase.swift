import Cryptography
import Domain
import Glibc
import Primitives
import Synchronization

/// One database file: a connection that writes, on a thread of its own, and those that read, each on its caller's.
///
/// Several processes may have one file open; each sees what the others had acknowledged.
package final class SQLiteDatabase: Sendable {
  let sealed: SealedValues
  let random: RandomSource
  let time: TimeSource
  let statistics = GroupCommit.Statistics()
  let writes = JobQueue<Write>()
  /// Connections that were read or written lately.
  let connections = ConnectionCache(capacity: 4096)
  private let readers: Readers
  private let log: Log
  private let missingKeys = Mutex<Set<WrappingKeyID>>([])

  /// Opens the database at `path`, makes it (readable by its owner alone) where there is none, and brings
  /// its tables up to date. Blocks, so call it while starting. `sealer` seals what is secret in it; `time`
  /// dates what it sets aside of its own accord; failures are told to `log`; a lock that another process
  /// holds is waited for up to `busyTimeout`.
  package init(
    path: String, sealer: Sealer, random: RandomSource, time: TimeSource, log: Log = .silent,
    busyTimeout: Duration = .seconds(5)
  ) throws(SQLiteOpenError) {
    sealed = SealedValues(sealer: sealer)
    self.random = random
    self.time = time
    self.log = log
    readers = Readers(path: path, busyTimeout: busyTimeout, cache: connections)
    let writer: SQLiteConnection
    do {
      try Self.create(path)
      writer = try Self.openWriter(path, busyTimeout: busyTimeout)
    } catch let error as SQLiteError {
      throw .failed(error)
    } catch let error as SQLiteOpenError {
      throw error
    } catch {
      throw .foreign
    }
    try start(GroupCommit(connection: writer, statistics: statistics))
  }

  deinit {
    readers.close()
    writes.close()
  }

  /// Finishes what was asked for, and copies the log into the database file. Later calls fail.
  package func close() async {
    readers.close()
    writes.close()
    await writes.waitUntilFinished()
  }

  /// What `body` finds, after every change that was acknowledged before; at one moment if it asks for that.
  func read<Answer: Sendable>(_ body: (Reader) throws -> Answer) throws(StoreError) -> Answer {
    do { return try readers.read(body) } catch { throw storeError(error) }
  }

  /// What `body` gives, once its changes are durable: all of them or, when it throws, none. It runs in one
  /// transaction with what others want written at this moment.
  func write<Answer: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> Answer)
    async throws(StoreError) -> Answer
  {
    let answer = Later<Answer>()
    try await change { answer.value = try body($0) }
    return answer.taken()
  }

  /// The same without an answer. Not generic: what each kind of answer needs would be looked up for every write.
  func change(_ body: @escaping @Sendable (SQLiteConnection) throws -> Void) async throws(StoreError) {
    let failure: (any Error)? = await withCheckedContinuation { caller in
      if !writes.append(Write(attempt: body, caller: caller)) {
        caller.resume(returning: StoreError.unavailable)
      }
    }
    if let failure { throw storeError(failure) }
  }

  private func storeError(_ error: any Error) -> StoreError {
    switch error {
    case let error as StoreError: return error
    case let error as SQLiteError: log.error("sqlite_failed", [("error", .string("\(error)"))])
    case SealError.unknownKey(let id):
      // Said once: every use of every connection meets it.
      let isNew = missingKeys.withLock { $0.insert(id).inserted }
      if isNew { log.alert("wrapping_key_missing", [("key", .string("\(id)"))]) }
    default: log.error("store_failed", [("error", .string("\(type(of: error))"))])
    }
    return .unavailable
  }
}

// MARK: - Opening

extension SQLiteDatabase {
  /// Makes an empty file that nobody else can read; SQLite gives its log the same rights.
  private static func create(_ path: String) throws(SQLiteOpenError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .notCreated(errno: errno) }
    Glibc.close(descriptor)
  }

  private static func openWriter(_ path: String, busyTimeout: Duration) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
    // Before anything is changed in a file that is not ours to change.
    _ = try Schema.version(of: connection)
    try switchToWAL(connection, within: busyTimeout)
    // FULL syncs the log at every commit; secure_delete overwrites what was deleted.
    try connection.script(
      """
      PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF;
      PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -8000;
      """)
    try Schema.migrate(connection)
    return connection
  }

  /// SQLite does not wait for the lock that this takes, so we do.
  private static func switchToWAL(_ connection: SQLiteConnection, within patience: Duration) throws {
    let deadline = ContinuousClock.now + patience
    while true {
      do {
        let mode = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
        guard mode == "wal" else { throw SQLiteError(code: 1, operation: "journal_mode = WAL") }
        return
      } catch let error as SQLiteError where error.isBusy && ContinuousClock.now < deadline {
        usleep(10_000)
      }
    }
  }

  private func start(_ writer: sending GroupCommit) throws(SQLiteOpenError) {
    // The thread has closed its connection before it says that it is at its end.
    let isWriting = DatabaseThread.start(
      with: writer, body: { [writes] in $0.run(writes) }, finally: { [writes] in writes.finish() })
    guard isWriting else {
      writes.close()
      throw .noThread
    }
  }
}
