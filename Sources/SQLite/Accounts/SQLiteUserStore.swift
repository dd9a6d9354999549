import Domain
import Primitives

/// Users in a database file.
package struct SQLiteUserStore: UserStore {
  private let database: SQLiteDatabase

  /// The users of `database`.
  package init(_ database: SQLiteDatabase) { self.database = database }

  package func add(_ user: User) async throws(StoreError) -> Bool {
    try await database.write { connection in
      let added = try connection.run(
        """
        INSERT INTO users (id, email, email_folded, name, password_hash, created_at, sessions_valid_from)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """,
        SQLiteValue(user.id), .text(user.email), .text(EmailAddress.fold(user.email)), .text(user.name),
        .text(user.passwordHash.expose()), SQLiteValue(user.createdAt), SQLiteValue(user.sessionsValidFrom))
      return added == 1
    }
  }

  package func user(withEmail email: EmailAddress) async throws(StoreError) -> User? {
    try database.read { reader in
      try reader.connection.first(
        """
        SELECT id, email, name, password_hash, created_at, sessions_valid_from FROM users
        WHERE email = ?1 OR email_folded = ?2 ORDER BY email = ?1 DESC LIMIT 1
        """, .text(email.typed), .text(email.folded), read: User.init(row:))
    }
  }

  package func user(_ id: UserID) async throws(StoreError) -> User? {
    try database.read { reader in
      try reader.connection.first(
        """
        SELECT id, email, name, password_hash, created_at, sessions_valid_from FROM users WHERE id = ?
        """, SQLiteValue(id), read: User.init(row:))
    }
  }

  package func profile(of id: UserID) async throws(StoreError) -> Profile? {
    try database.read { try $0.profile(of: id) }
  }

  package func setPassword(_ hash: Secret, of id: UserID, sessionsValidFrom: Timestamp)
    async throws(StoreError)
  {
    try await database.write { connection in
      let changed = try connection.run(
        "UPDATE users SET password_hash = ?, sessions_valid_from = ? WHERE id = ?",
        .text(hash.expose()), SQLiteValue(sessionsValidFrom), SQLiteValue(id))
      guard changed == 1 else { throw StoreError.noSuchUser }
    }
  }

  package func users(after last: UserID?, limit: Int) async throws(StoreError) -> UserPage {
    try database.read { reader in
      let users = try reader.connection.all(
        """
        SELECT id, email, name, password_hash, created_at, sessions_valid_from FROM users
        WHERE id > ? ORDER BY id LIMIT ?
        """, .text(last?.rawValue ?? ""), .integer(Int64(limit)), read: User.init(row:))
      return UserPage(users, limit: limit)
    }
  }

  package func remove(_ id: UserID) async throws(StoreError) -> Bool {
    try await database.write { connection in
      let holdsTokens = try connection.exists("SELECT 1 FROM secrets WHERE user_id = ?", SQLiteValue(id))
      guard !holdsTokens else { return false }
      try connection.run("DELETE FROM refreshes WHERE user_id = ?", SQLiteValue(id))
      // The rest that is the user's goes by its foreign keys.
      try connection.run("DELETE FROM users WHERE id = ?", SQLiteValue(id))
      return true
    }
  }
}

extension User {
  /// Reads id, email, name, password_hash, created_at, sessions_valid_from.
  init(row: SQLiteRow) {
    self.init(
      id: row.identifier(0), email: row.text(1), name: row.text(2), passwordHash: Secret(row.text(3)),
      createdAt: row.timestamp(4), sessionsValidFrom: row.optionalTimestamp(5))
  }
}
