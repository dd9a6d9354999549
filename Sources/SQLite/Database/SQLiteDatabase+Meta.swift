import Domain
import Primitives

extension SQLiteDatabase {
  /// The fingerprint that was recorded under `name`; nil when none was. It tells whether a key that lies
  /// outside the database belongs to it.
  package func fingerprint(named name: String) throws(StoreError) -> [UInt8]? {
    try read { try $0.connection.fingerprint(named: name) }
  }

  /// Records `fingerprint` under `name` unless there is one already, and gives the one that stands: of two
  /// processes that start at once, one finds the other's.
  package func fingerprint(named name: String, orRecord fingerprint: [UInt8]) async throws(StoreError)
    -> [UInt8]
  {
    try await write { connection in
      try connection.run(
        "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
        .text("fingerprint/" + name), .blob(fingerprint))
      return try connection.fingerprint(named: name) ?? fingerprint
    }
  }

  /// Fails unless something small can be written durably now: a full disk and a read-only file are noticed.
  package func checkWritable() async throws(StoreError) {
    // SQLite writes nothing where a value stays the same.
    let mark = random.bytes(8)
    try await write { connection in
      _ = try connection.run(
        "INSERT INTO meta (name, value) VALUES ('write check', ?1) ON CONFLICT (name) DO UPDATE SET value = ?1",
        .blob(mark))
    }
  }
}

extension SQLiteConnection {
  fileprivate func fingerprint(named name: String) throws -> [UInt8]? {
    try first("SELECT value FROM meta WHERE name = ?", .text("fingerprint/" + name)) { $0.blob(0) }
  }
}
