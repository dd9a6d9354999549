import Domain
import Primitives

/// Connections in a database file.
package struct SQLiteTokenVault: TokenVault {
  private let database: SQLiteDatabase

  /// The connections of `database`.
  package init(_ database: SQLiteDatabase) { self.database = database }

  package func read(_ user: UserID) async throws(StoreError) -> VaultSnapshot {
    try database.read { try $0.snapshot(of: user, sealed: database.sealed) }
  }

  package func update<Result: Sendable>(
    _ user: UserID, account: GoogleSubject?,
    _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
  ) async throws(StoreError) -> Result {
    let answer = Later<Result>()
    try await update(user, account) { snapshot in
      let (change, result) = decide(snapshot)
      answer.value = result
      return change
    }
    return answer.taken()
  }

  private func update(
    _ user: UserID, _ account: GoogleSubject?, _ decide: @escaping @Sendable (VaultSnapshot) -> VaultChange
  ) async throws(StoreError) {
    let early = database.connections[user].flatMap { sealedChange(of: user, upon: $0, decide) }
    try await database.change { [database] connection in
      let transaction = try VaultTransaction(user, account: account, on: connection, of: database)
      if let early, transaction.stands(early.known) { return try transaction.make(early.sealed) }
      let snapshot = try transaction.snapshot()
      try transaction.make(decide(snapshot), upon: snapshot)
    }
  }

  /// What `decide` says upon what was known of the connection last, sealed already: the one thread that writes has to
  /// do that only where it no longer stands.
  private func sealedChange(
    of user: UserID, upon known: ConnectionCache.Entry, _ decide: (VaultSnapshot) -> VaultChange
  ) -> (known: ConnectionCache.Entry, sealed: SealedChange)? {
    guard let secret = known.secret else { return nil }
    let snapshot = VaultSnapshot(connection: known.row.record, secret: secret.content, lease: known.lease)
    // Should it fail, it fails in the transaction too.
    let sealed = try? SealedChange(
      decide(snapshot), of: user, upon: snapshot, secret, version: known.row.version, aside: nil, in: database
    )
    return sealed.map { (known, $0) }
  }

  // MARK: Leases

  package func acquireLease(on user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
    async throws(StoreError) -> LeaseAttempt
  {
    try await database.write { [sealed = database.sealed] connection in
      let rows = VaultRows(connection: connection, sealed: sealed)
      guard try rows.exists(user) else { throw StoreError.noSuchUser }
      let newest = try rows.lease(of: user)
      if let newest, newest.isLive(at: now) { return .held }
      let lease = RefreshLease(owner: owner, fence: (newest?.fence ?? 0) + 1, expiresAt: expiry)
      try connection.run(
        "INSERT OR REPLACE INTO leases (user_id, owner, fence, expires_at) VALUES (?, ?, ?, ?)",
        SQLiteValue(user), .text(owner), .integer(lease.fence), SQLiteValue(expiry))
      return .acquired(lease)
    }
  }

  package func release(_ lease: RefreshLease, on user: UserID) async throws(StoreError) {
    try await database.write { connection in
      _ = try connection.run(
        "UPDATE leases SET expires_at = 0 WHERE user_id = ? AND owner = ? AND fence = ?",
        SQLiteValue(user), .text(lease.owner), .integer(lease.fence))
    }
  }

  // MARK: Lists

  package func dueForUse(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try database.read { reader in
      try reader.connection.all(
        """
        SELECT user_id FROM (
          SELECT user_id FROM connections WHERE next_use_at <= ?1 ORDER BY next_use_at LIMIT ?3)
        UNION ALL SELECT user_id FROM connections WHERE next_use_at > ?2 LIMIT ?3
        """, SQLiteValue(now), SQLiteValue(now + SweepGrants.furthestUse), .integer(Int64(limit))
      ) { $0.identifier(0) }
    }
  }

  package func spent(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try database.read { reader in
      try reader.connection.all(
        """
        SELECT user_id FROM connections WHERE status = 'limited' AND access_expires_at <= ?
        ORDER BY access_expires_at LIMIT ?
        """, SQLiteValue(now), .integer(Int64(limit))
      ) { $0.identifier(0) }
    }
  }

  package func setAside(since: Timestamp) async throws(StoreError) -> [UserID] {
    try database.read { reader in
      try reader.connection.all(
        "SELECT DISTINCT user_id FROM asides WHERE set_aside_at >= ? AND reason = ?", SQLiteValue(since),
        .text(ConnectionReason.invalidGrant.rawValue)
      ) { $0.identifier(0) }
    }
  }

  package func discardAsides(before: Timestamp) async throws(StoreError) {
    try await database.write { connection in
      _ = try connection.run(
        "DELETE FROM asides WHERE set_aside_at < ? AND is_readable = 1", SQLiteValue(before))
    }
  }

  package func connections() async throws(StoreError) -> [Profile] {
    try database.read { reader in
      try reader.atOneMoment {
        let users = try reader.connection.all(
          """
          SELECT id, email, name, password_hash, created_at, sessions_valid_from FROM users ORDER BY email_folded
          """, read: User.init(row:))
        return try users.map {
          Profile(user: $0, connection: try ConnectionRow.load($0.id, reader.connection)?.record)
        }
      }
    }
  }
}
