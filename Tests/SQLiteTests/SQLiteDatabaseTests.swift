import Cryptography
import Domain
import FoundationEssentials
import Glibc
import Primitives
import TestSupport
import Testing

@testable import SQLite

@Suite struct SQLiteDatabaseTests {
  private let files: TemporaryDatabase

  init() throws { files = try TemporaryDatabase() }

  // MARK: Durability

  @Test("What was acknowledged is in a copy of the files taken at that moment, as after a kill")
  func durability() async throws {
    let store = StoreFixture(try files.open())
    for round in 0..<20 {
      let id = try await store.add("user-\(round)")
      try await store.connect(id)
      let copy = files.directory + "/copy-\(round).db"
      try FileManager.default.copyItem(atPath: files.path, toPath: copy)
      try FileManager.default.copyItem(atPath: files.path + "-wal", toPath: copy + "-wal")
      let recovered = StoreFixture(try files.open(at: copy))
      #expect(try await recovered.vault.read(id).secret.tokens == .sample())
      #expect(try await recovered.vault.connections().count == round + 1)
    }
  }

  @Test("Every commit is synced, foreign keys are checked, and what is deleted is overwritten")
  func pragmas() async throws {
    let database = try files.open()
    let values = try await database.write { connection in
      [
        try connection.first("PRAGMA journal_mode") { $0.text(0) },
        try connection.first("PRAGMA synchronous") { $0.text(0) },
        try connection.first("PRAGMA foreign_keys") { $0.text(0) },
        try connection.first("PRAGMA secure_delete") { $0.text(0) },
      ]
    }
    #expect(values == ["wal", "2", "1", "1"])
  }

  // MARK: Opening

  @Test("A new database and its log can be read by their owner alone")
  func permissions() async throws {
    let database = try files.open()
    _ = try await StoreFixture(database).add("ada")
    for name in ["", "-wal", "-shm"] {
      var status = stat()
      #expect(stat(files.path + name, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
  }

  @Test("An empty file becomes a database of today, and opening it again changes nothing")
  func migration() throws {
    try Data().write(to: URL(filePath: files.path))
    _ = try files.open()
    let schema = try files.raw().all("SELECT sql FROM sqlite_schema") { $0.text(0) }
    #expect(try files.raw().first("PRAGMA user_version") { $0.integer(0) } == Int64(Schema.migrations.count))
    _ = try files.open()
    #expect(try files.raw().all("SELECT sql FROM sqlite_schema") { $0.text(0) } == schema)
  }

  @Test("A database that a newer program wrote is refused and left alone")
  func newer() throws {
    _ = try files.open()
    try files.raw().script("PRAGMA user_version = 1000")
    #expect(throws: SQLiteOpenError.newer(found: 1000, known: Int64(Schema.migrations.count))) {
      _ = try files.open()
    }
    #expect(try files.raw().first("PRAGMA user_version") { $0.integer(0) } == 1000)
  }

  @Test("Another program's database, and a file that is none, are refused and left alone")
  func foreign() throws {
    try Data().write(to: URL(filePath: files.path))
    try files.raw().script("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);")
    let before = try Data(contentsOf: URL(filePath: files.path))
    #expect(throws: SQLiteOpenError.foreign) { _ = try files.open() }
    #expect(try Data(contentsOf: URL(filePath: files.path)) == before)
    let text = Data(repeating: 0x41, count: 8192)
    try text.write(to: URL(filePath: files.path))
    #expect(throws: SQLiteOpenError.self) { _ = try files.open() }
    #expect(try Data(contentsOf: URL(filePath: files.path)) == text)
  }

  @Test("A path that cannot be made is refused with the system's reason")
  func noDirectory() throws {
    #expect(throws: SQLiteOpenError.notCreated(errno: ENOENT)) {
      _ = try files.open(at: files.directory + "/missing/paypulse.db")
    }
  }

  // MARK: Meta

  @Test("A fingerprint is recorded once, and stays what it was")
  func fingerprints() async throws {
    let (one, other) = (try files.open(), try files.open())
    #expect(try one.fingerprint(named: "jwt") == nil)
    #expect(try await one.fingerprint(named: "jwt", orRecord: [1, 2]) == [1, 2])
    #expect(try await other.fingerprint(named: "jwt", orRecord: [9]) == [1, 2])
    #expect(try other.fingerprint(named: "jwt") == [1, 2])
    #expect(try other.fingerprint(named: "wrapping") == nil)
  }

  @Test("The readiness check passes while the database takes writes, and fails while it does not")
  func readiness() async throws {
    let database = try files.open()
    try await database.checkWritable()
    try await database.checkWritable()
    try await database.write { try $0.script("PRAGMA query_only = ON") }
    await #expect(throws: StoreError.unavailable) { try await database.checkWritable() }
  }

  // MARK: What failures tell

  @Test("A failure tells its code and statement, and no value")
  func failures() throws {
    _ = try files.open()
    let raw = try files.raw()
    let insert: () throws -> Void = { try raw.run("INSERT INTO meta VALUES (?, x'00')", "needle") }
    try insert()
    let error = try #require(#expect(throws: SQLiteError.self) { try insert() })
    #expect(error.code & 0xFF == 19)
    #expect(!"\(error)".contains("needle") && "\(error)".contains("INSERT INTO meta"))
  }

  @Test("Texts and blobs come back byte for byte, empty and with NUL")
  func values() throws {
    _ = try files.open()
    let raw = try files.raw()
    for (text, bytes) in [("", []), ("a\u{0}b", [0, 255]), ("é🦊", [UInt8](repeating: 7, count: 100_000))] {
      let found = try raw.first("SELECT ?, ?, typeof(?1), typeof(?2)", .text(text), .blob(bytes)) {
        ($0.text(0), $0.blob(1), $0.text(2) + $0.text(3))
      }
      #expect(found?.0 == text && found?.1 == bytes && found?.2 == "textblob")
    }
  }

  @Test("The cache knows a connection at one revision, and forgets the least used beyond its size")
  func cache() {
    let cache = ConnectionCache(capacity: 4)
    let row = ConnectionRow(version: "v", record: nil)
    for index in 0..<2 {
      cache.insert(ConnectionCache.Entry(revision: 1, row: row), for: UserID("\(index)"))
    }
    #expect(cache[UserID("0"), 1] != nil && cache[UserID("0"), 2] == nil)
    for index in 2..<100 {
      cache.insert(ConnectionCache.Entry(revision: 1, row: row), for: UserID("\(index)"))
      #expect(cache[UserID("0"), 1] != nil)
    }
    #expect(cache[UserID("1"), 1] == nil)
    #expect((0..<100).count { cache[UserID("\($0)"), 1] != nil } <= 4)
  }
}
