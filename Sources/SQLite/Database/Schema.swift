/// The tables, and how an older database becomes one of today.
///
/// Times are microseconds since 1970. What is sealed opens only under its context; see ``SealedValues``.
enum Schema {
  /// Migration n makes schema version n of version n - 1. One that was released is never changed.
  static let migrations: [StaticString] = [first]

  /// Marks the file as ours (sqlite.org/pragma.html#pragma_application_id): "PPLS".
  static let applicationID: Int64 = 0x5050_4C53

  /// The schema version of the database, 0 for an empty file. Fails for a database that is not ours, or is
  /// newer than this program; changes nothing.
  static func version(of connection: SQLiteConnection) throws -> Int64 {
    // At one moment: between two looks, another process may make the tables.
    let isInTransaction = connection.isInTransaction
    if !isInTransaction { try connection.beginReading() }
    defer { if !isInTransaction { connection.rollBack() } }
    let found = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
    let mark = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
    let isEmpty = try connection.first("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in true } == nil
    guard mark == applicationID || isEmpty && mark == 0 && found == 0 else { throw SQLiteOpenError.foreign }
    let known = Int64(migrations.count)
    guard found <= known else { throw SQLiteOpenError.newer(found: found, known: known) }
    return found
  }

  /// Brings the database up to date, in one transaction.
  static func migrate(_ connection: SQLiteConnection) throws {
    if try version(of: connection) == migrations.count { return }
    try connection.transaction {
      // Asked again under the lock: another process may have done it meanwhile.
      let found = try version(of: connection)
      for migration in migrations.dropFirst(Int(found)) { try connection.script(migration) }
    }
  }

  private static let first: StaticString = """
    CREATE TABLE users (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      email_folded TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      sessions_valid_from INTEGER
    ) STRICT, WITHOUT ROWID;

    -- The record beside the secret. `version` is the secret's, NULL without one; `revision` changes with every
    -- write of the row; `status` is NULL where there is a secret and no record.
    CREATE TABLE connections (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      revision INTEGER NOT NULL,
      version TEXT,
      status TEXT,
      reason TEXT,
      google_sub TEXT NOT NULL,
      google_email TEXT NOT NULL,
      google_name TEXT NOT NULL,
      google_email_verified INTEGER NOT NULL,
      scopes TEXT NOT NULL,
      connected_at INTEGER NOT NULL,
      last_refreshed_at INTEGER,
      access_expires_at INTEGER NOT NULL,
      grant_expires_at INTEGER,
      grant_id TEXT NOT NULL,
      next_use_at INTEGER,
      dead_fence INTEGER,
      is_on_probation INTEGER NOT NULL,
      last_upload_fingerprint BLOB,
      last_upload_reply TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX connections_by_next_use ON connections (next_use_at) WHERE next_use_at IS NOT NULL;
    CREATE INDEX connections_limited ON connections (access_expires_at) WHERE status = 'limited';

    -- A user with a secret cannot be deleted: no ON DELETE.
    CREATE TABLE secrets (
      name TEXT PRIMARY KEY,
      user_id TEXT NOT NULL UNIQUE REFERENCES users (id),
      sealed BLOB NOT NULL
    ) STRICT;
    CREATE TABLE holders (
      google_sub TEXT NOT NULL,
      user_id TEXT NOT NULL UNIQUE REFERENCES users (id),
      PRIMARY KEY (google_sub, user_id)
    ) STRICT, WITHOUT ROWID;

    -- Secrets that lost their name. One that does not open is kept as it was, with the version it was stored
    -- under, and `is_readable` 0.
    CREATE TABLE asides (
      sequence INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      set_aside_at INTEGER NOT NULL,
      reason TEXT NOT NULL,
      is_readable INTEGER NOT NULL,
      version TEXT,
      sealed BLOB NOT NULL
    ) STRICT;
    CREATE INDEX asides_by_user ON asides (user_id, set_aside_at, sequence);
    CREATE INDEX asides_by_time ON asides (set_aside_at);

    -- The newest lease of each user; its row outlives disconnects, so that `fence` only grows.
    CREATE TABLE leases (
      user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      owner TEXT NOT NULL,
      fence INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- No user in these: what Google is owed outlives the account.
    CREATE TABLE revocations (
      id TEXT PRIMARY KEY,
      google_sub TEXT NOT NULL,
      google_base_url TEXT NOT NULL,
      queued_at INTEGER NOT NULL,
      next_attempt_at INTEGER NOT NULL,
      sealed BLOB NOT NULL
    ) STRICT;
    CREATE INDEX revocations_by_next_attempt ON revocations (next_attempt_at);
    CREATE TABLE revocation_marks (
      google_sub TEXT PRIMARY KEY,
      order_id TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      ended_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE refreshes (
      sequence INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      user_id TEXT NOT NULL,
      result TEXT NOT NULL
    ) STRICT;
    CREATE INDEX refreshes_by_time ON refreshes (at);
    CREATE INDEX refreshes_by_user ON refreshes (user_id);
    CREATE INDEX refreshes_that_died ON refreshes (at, user_id) WHERE result = 'died';
    CREATE TABLE refresh_brake (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      since INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE meta (
      name TEXT PRIMARY KEY,
      value BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    PRAGMA application_id = 0x50504C53;
    PRAGMA user_version = 1;
    """
}
