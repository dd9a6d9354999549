import Domain
import Primitives

/// Revocations owed, in a database file.
package struct SQLiteRevocationQueue: RevocationQueue {
  private let database: SQLiteDatabase

  /// The queue of `database`.
  package init(_ database: SQLiteDatabase) { self.database = database }

  package func due(at now: Timestamp, limit: Int) async throws(StoreError) -> [String] {
    try database.read { reader in
      try reader.connection.all(
        "SELECT id FROM revocations WHERE next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?",
        SQLiteValue(now), .integer(Int64(limit))
      ) { $0.text(0) }
    }
  }

  package func begin(_ id: String, at now: Timestamp) async throws(StoreError) -> RevocationStart {
    try await database.write { [sealed = database.sealed] connection in
      let rows = VaultRows(connection: connection, sealed: sealed)
      guard let order = try rows.order(id) else { return .gone }
      let isHeld = try connection.exists(
        "SELECT 1 FROM holders WHERE google_sub = ? LIMIT 1", SQLiteValue(order.subject))
      guard !isHeld else {
        try connection.removeOrder(id)
        return .held
      }
      if let running = try rows.mark(of: order.subject), running.isRunning(at: now) { return .busy }
      try connection.purgeMarks(at: now)
      try connection.run(
        "INSERT OR REPLACE INTO revocation_marks (google_sub, order_id, started_at) VALUES (?, ?, ?)",
        SQLiteValue(order.subject), .text(id), SQLiteValue(now))
      return .marked(order)
    }
  }

  package func finish(_ order: RevocationOrder, at now: Timestamp, retryAt: Timestamp?)
    async throws(StoreError)
  {
    try await database.write { connection in
      if let retryAt {
        try connection.run(
          "UPDATE revocations SET next_attempt_at = ? WHERE id = ?", SQLiteValue(retryAt), .text(order.id))
      } else {
        try connection.removeOrder(order.id)
      }
      // A mark that a later order set meanwhile is that one's to end.
      try connection.run(
        """
        INSERT INTO revocation_marks (google_sub, order_id, started_at, ended_at) VALUES (?1, ?2, ?3, ?3)
        ON CONFLICT (google_sub) DO UPDATE SET ended_at = excluded.ended_at WHERE order_id = excluded.order_id
        """, SQLiteValue(order.subject), .text(order.id), SQLiteValue(now))
      try connection.purgeMarks(at: now)
    }
  }
}

extension VaultRows {
  /// The order; nil when there is none. One whose token does not open can never be paid, and goes.
  fileprivate func order(_ id: String) throws -> RevocationOrder? {
    let found = try connection.first(
      "SELECT google_sub, google_base_url, queued_at, sealed FROM revocations WHERE id = ?", .text(id)
    ) { row in
      let subject: GoogleSubject = row.identifier(0)
      return (subject: subject, baseURL: row.text(1), queuedAt: row.timestamp(2), value: row.blob(3))
    }
    guard let found else { return nil }
    let context = SealedValues.revocation(id, of: found.subject, at: found.baseURL)
    guard let token = try sealed.token(found.value, for: context) else {
      try connection.removeOrder(id)
      return nil
    }
    return RevocationOrder(
      id: id, subject: found.subject, token: token, googleBaseURL: found.baseURL, queuedAt: found.queuedAt)
  }
}

extension SQLiteConnection {
  fileprivate func removeOrder(_ id: String) throws {
    try run("DELETE FROM revocations WHERE id = ?", .text(id))
  }

  fileprivate func purgeMarks(at now: Timestamp) throws {
    try run(
      "DELETE FROM revocation_marks WHERE coalesce(ended_at, started_at) <= ?",
      SQLiteValue(now - RevocationMark.remembered))
  }
}
