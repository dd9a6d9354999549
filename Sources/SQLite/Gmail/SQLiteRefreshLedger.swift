import Domain
import Primitives

/// How refreshes ended, in a database file.
package struct SQLiteRefreshLedger: RefreshLedger {
  private let database: SQLiteDatabase

  /// The counts of `database`.
  package init(_ database: SQLiteDatabase) { self.database = database }

  package func record(_ result: RefreshResult, of user: UserID, at now: Timestamp) async throws(StoreError)
    -> RefreshStatistics
  {
    try await database.write { connection in
      try connection.run(
        "INSERT INTO refreshes (at, user_id, result) VALUES (?, ?, ?)", SQLiteValue(now), SQLiteValue(user),
        .text(result.rawValue))
      try connection.run("DELETE FROM refreshes WHERE at <= ?", SQLiteValue(now - BelieveDeath.window))
      let brakeSince = try connection.brakeSince()
      // Each refresh pays for this, and in an hour there may be very many: both are counted in an index alone.
      return try connection.first(
        """
        SELECT (SELECT count(*) FROM refreshes WHERE at <= ?1), count(*), count(DISTINCT user_id)
        FROM refreshes WHERE at <= ?1 AND result = 'died'
        """, SQLiteValue(now)
      ) { row in
        RefreshStatistics(
          refreshes: Int(row.integer(0)), deaths: Int(row.integer(1)), usersDied: Int(row.integer(2)),
          brakeSince: brakeSince)
      } ?? RefreshStatistics(refreshes: 0, deaths: 0, usersDied: 0, brakeSince: brakeSince)
    }
  }

  package func brakeSince() async throws(StoreError) -> Timestamp? {
    try database.read { try $0.connection.brakeSince() }
  }

  package func engageBrake(at now: Timestamp) async throws(StoreError) -> Bool {
    try await database.write { connection in
      try connection.run(
        "INSERT INTO refresh_brake (only, since) VALUES (1, ?) ON CONFLICT DO NOTHING", SQLiteValue(now)) == 1
    }
  }

  package func releaseBrake() async throws(StoreError) -> Timestamp? {
    try await database.write { connection in
      guard let since = try connection.brakeSince() else { return nil }
      try connection.run("DELETE FROM refresh_brake")
      try connection.run("DELETE FROM refreshes")
      return since
    }
  }
}

extension SQLiteConnection {
  fileprivate func brakeSince() throws -> Timestamp? {
    try first("SELECT since FROM refresh_brake") { $0.timestamp(0) }
  }
}
