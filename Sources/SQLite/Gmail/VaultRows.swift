import Domain
import Primitives

/// Reads what belongs to one user's connection, row by row, within the caller's transaction.
struct VaultRows {
  let connection: SQLiteConnection
  let sealed: SealedValues

  /// A value set aside that opens.
  struct Aside {
    let tokens: OAuthTokens
    let since: Timestamp

    var summary: AsideSecret { AsideSecret(tokens, since: since) }
  }

  /// The newest value set aside that opens.
  func newestAside(of user: UserID) throws -> Aside? {
    let asides = try connection.all(
      """
      SELECT id, set_aside_at, sealed FROM asides WHERE user_id = ? AND is_readable = 1
      ORDER BY set_aside_at DESC, sequence DESC
      """, SQLiteValue(user)
    ) { (id: $0.text(0), since: $0.timestamp(1), value: $0.blob(2)) }
    for aside in asides {
      if let tokens = try sealed.tokens(aside.value, for: SealedValues.aside(aside.id, of: user)) {
        return Aside(tokens: tokens, since: aside.since)
      }
    }
    return nil
  }

  /// The newest lease on the connection of `user`.
  func lease(of user: UserID) throws -> RefreshLease? {
    try connection.first("SELECT owner, fence, expires_at FROM leases WHERE user_id = ?", SQLiteValue(user)) {
      RefreshLease(row: $0, from: 0)
    }
  }

  /// What stands beside the record of `user`.
  struct Beside {
    /// The newest lease.
    let lease: RefreshLease?
    /// The secret as it is stored.
    let sealed: [UInt8]?
    /// The record's revision and the version that it names; nil where there is no record.
    let revision: Int64?
    let version: String?
    /// The revocation mark of the account that was asked about.
    let mark: RevocationMark?
  }

  /// What stands beside the record of `user`, and of `account`; nil when there is no such user.
  func beside(_ user: UserID, account: GoogleSubject?) throws -> Beside? {
    try connection.first(
      """
      SELECT l.owner, l.fence, l.expires_at, s.sealed, c.revision, c.version, m.started_at, m.ended_at FROM users AS u
      LEFT JOIN leases AS l ON l.user_id = u.id LEFT JOIN secrets AS s ON s.user_id = u.id
      LEFT JOIN connections AS c ON c.user_id = u.id LEFT JOIN revocation_marks AS m ON m.google_sub = ?2
      WHERE u.id = ?1
      """, SQLiteValue(user), SQLiteValue(account)
    ) { row in
      Beside(
        lease: row.isNull(0) ? nil : RefreshLease(row: row, from: 0),
        sealed: row.isNull(3) ? nil : row.blob(3),
        revision: row.optionalInteger(4), version: row.optionalText(5),
        mark: row.isNull(6) ? nil : RevocationMark(row: row, from: 6))
    }
  }

  /// The revocation mark of `account`.
  func mark(of account: GoogleSubject) throws -> RevocationMark? {
    try connection.first(
      "SELECT started_at, ended_at FROM revocation_marks WHERE google_sub = ?", SQLiteValue(account)
    ) { RevocationMark(row: $0, from: 0) }
  }

  /// Whether the user exists.
  func exists(_ user: UserID) throws -> Bool {
    try connection.exists("SELECT 1 FROM users WHERE id = ?", SQLiteValue(user))
  }
}

extension RefreshLease {
  /// Reads owner, fence and expiry from the column `first` on.
  init(row: SQLiteRow, from first: Int32) {
    self.init(owner: row.text(first), fence: row.integer(first + 1), expiresAt: row.timestamp(first + 2))
  }
}

extension RevocationMark {
  /// Reads begin and end from the column `first` on.
  fileprivate init(row: SQLiteRow, from first: Int32) {
    self.init(startedAt: row.timestamp(first), endedAt: row.optionalTimestamp(first + 1))
  }
}
