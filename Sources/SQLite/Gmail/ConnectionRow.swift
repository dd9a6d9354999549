import Domain
import Primitives

/// A row of `connections`.
struct ConnectionRow {
  /// Random, new with every write of the row.
  let revision: Int64
  /// The version that the secret is sealed under; nil without one.
  let version: String?
  /// The record; nil where there is a secret alone.
  let record: GmailConnection?

  /// A value in the database that this program never writes.
  struct Unreadable: Error {}

  /// The row of `user`; nil when there is none.
  static func load(_ user: UserID, _ connection: SQLiteConnection) throws -> ConnectionRow? {
    try connection.first(
      """
      SELECT revision, version, status, reason, google_sub, google_email, google_name, google_email_verified, scopes,
        connected_at, last_refreshed_at, access_expires_at, grant_expires_at, grant_id, next_use_at, dead_fence,
        is_on_probation, last_upload_fingerprint, last_upload_reply
      FROM connections WHERE user_id = ?
      """, SQLiteValue(user)
    ) { row in
      ConnectionRow(
        revision: row.integer(0), version: row.optionalText(1),
        record: row.isNull(2) ? nil : try GmailConnection(row: row))
    }
  }

  /// Makes this the row of `user`; one that says nothing is no row.
  func store(_ user: UserID, _ connection: SQLiteConnection) throws {
    guard record != nil || version != nil else {
      try connection.run("DELETE FROM connections WHERE user_id = ?", SQLiteValue(user))
      return
    }
    try connection.run(
      """
      INSERT OR REPLACE INTO connections (
        user_id, revision, version, status, reason, google_sub, google_email, google_name, google_email_verified,
        scopes, connected_at, last_refreshed_at, access_expires_at, grant_expires_at, grant_id, next_use_at,
        dead_fence, is_on_probation, last_upload_fingerprint, last_upload_reply)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      SQLiteValue(user), .integer(revision), SQLiteValue(version),
      SQLiteValue(record?.recordedStatus.rawValue),
      SQLiteValue(record?.reason?.rawValue), .text(record?.account.subject.rawValue ?? ""),
      .text(record?.account.email ?? ""), .text(record?.account.name ?? ""),
      SQLiteValue(record?.account.emailVerified ?? false), .text(record?.scopes.joined ?? ""),
      .integer(record?.connectedAt.microseconds ?? 0), SQLiteValue(record?.lastRefreshedAt),
      .integer(record?.accessExpiresAt.microseconds ?? 0), SQLiteValue(record?.grantExpiresAt),
      .text(record?.grantID.rawValue ?? ""), SQLiteValue(record?.nextUseAt), SQLiteValue(record?.deadFence),
      SQLiteValue(record?.isOnProbation ?? false), SQLiteValue(record?.lastUpload?.fingerprint),
      SQLiteValue(record?.lastUpload?.reply.json))
  }
}

extension ConnectReply {
  fileprivate var json: String {
    var text = JSONText()
    text.object {
      $0.member("googleEmail", googleEmail)
      $0.member("scope", scope)
      $0.member("previousGoogleEmail", previousGoogleEmail)
      $0.member("kind", kind.rawValue)
    }
    return text.string
  }

  fileprivate init?(json: String) {
    let value = JSONValue(json: Array(json.utf8))
    guard let email = value?["googleEmail"]?.string, let scope = value?["scope"]?.string,
      let kind = value?["kind"]?.string.flatMap(Kind.init)
    else { return nil }
    self.init(
      googleEmail: email, scope: scope, previousGoogleEmail: value?["previousGoogleEmail"]?.string, kind: kind
    )
  }
}

extension GmailConnection {
  /// Reads the columns of ``ConnectionRow/load(_:_:)``.
  fileprivate init(row: SQLiteRow) throws {
    guard let status = ConnectionStatus(rawValue: row.text(2)) else { throw ConnectionRow.Unreadable() }
    let reason = try row.optionalText(3).map { text in
      guard let reason = ConnectionReason(rawValue: text) else { throw ConnectionRow.Unreadable() }
      return reason
    }
    self.init(
      account: GoogleAccount(
        subject: row.identifier(4), email: row.text(5), name: row.text(6), emailVerified: row.flag(7)),
      recordedStatus: status, reason: reason, scopes: GrantedScopes(row.text(8)),
      connectedAt: row.timestamp(9),
      lastRefreshedAt: row.optionalTimestamp(10), accessExpiresAt: row.timestamp(11),
      grantExpiresAt: row.optionalTimestamp(12), grantID: row.identifier(13),
      nextUseAt: row.optionalTimestamp(14), deadFence: row.optionalInteger(15), isOnProbation: row.flag(16),
      lastUpload: Self.lastUpload(row))
  }

  /// A reply that cannot be read is not repeated; then the upload is taken as new.
  private static func lastUpload(_ row: SQLiteRow) -> RememberedUpload? {
    guard let text = row.optionalText(18),
      let reply = ConnectReply(json: text)
    else { return nil }
    return RememberedUpload(fingerprint: row.blob(17), reply: reply)
  }
}
