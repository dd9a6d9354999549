import Domain
import Primitives

/// What a row of `connections` says.
struct ConnectionRow {
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
      SELECT version, status, reason, google_sub, google_email, google_name, google_email_verified, scopes,
        connected_at, last_refreshed_at, access_expires_at, grant_expires_at, grant_id, next_use_at, dead_fence,
        is_on_probation, last_upload_fingerprint, last_upload_reply
      FROM connections WHERE user_id = ?
      """, SQLiteValue(user)
    ) { row in
      ConnectionRow(
        version: row.optionalText(0), record: row.isNull(1) ? nil : try GmailConnection(row: row))
    }
  }

  /// Makes `values` the row of `user`, who has one already or not; without values there is none.
  static func store(
    _ values: [SQLiteValue], of user: UserID, replaces: Bool, _ connection: SQLiteConnection
  ) throws {
    guard !values.isEmpty else {
      try connection.run("DELETE FROM connections WHERE user_id = ?", SQLiteValue(user))
      return
    }
    // A row inserted anew would have its user looked up, and its pages copied to undo it.
    try connection.run(
      replaces
        ? """
        UPDATE connections SET revision = ?2, version = ?3, status = ?4, reason = ?5, google_sub = ?6, google_email = ?7,
          google_name = ?8, google_email_verified = ?9, scopes = ?10, connected_at = ?11, last_refreshed_at = ?12,
          access_expires_at = ?13, grant_expires_at = ?14, grant_id = ?15, next_use_at = ?16, dead_fence = ?17,
          is_on_probation = ?18, last_upload_fingerprint = ?19, last_upload_reply = ?20
        WHERE user_id = ?1
        """
        : """
        INSERT INTO connections (
          user_id, revision, version, status, reason, google_sub, google_email, google_name, google_email_verified,
          scopes, connected_at, last_refreshed_at, access_expires_at, grant_expires_at, grant_id, next_use_at,
          dead_fence, is_on_probation, last_upload_fingerprint, last_upload_reply)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, values)
  }

  /// What to store for `user` at `revision`; nothing where the row says nothing.
  func values(of user: UserID, revision: Int64) -> [SQLiteValue] {
    guard record != nil || version != nil else { return [] }
    return [
      SQLiteValue(user), .integer(revision), SQLiteValue(version),
      SQLiteValue(record?.recordedStatus.rawValue),
      SQLiteValue(record?.reason?.rawValue), .text(record?.account.subject.rawValue ?? ""),
      .text(record?.account.email ?? ""), .text(record?.account.name ?? ""),
      SQLiteValue(record?.account.emailVerified ?? false), .text(record?.scopes.joined ?? ""),
      .integer(record?.connectedAt.microseconds ?? 0), SQLiteValue(record?.lastRefreshedAt),
      .integer(record?.accessExpiresAt.microseconds ?? 0), SQLiteValue(record?.grantExpiresAt),
      .text(record?.grantID.rawValue ?? ""), SQLiteValue(record?.nextUseAt), SQLiteValue(record?.deadFence),
      SQLiteValue(record?.isOnProbation ?? false), SQLiteValue(record?.lastUpload?.fingerprint),
      SQLiteValue(record?.lastUpload?.reply.json),
    ]
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
    guard let status = ConnectionStatus(rawValue: row.text(1)) else { throw ConnectionRow.Unreadable() }
    let reason = try row.optionalText(2).map { text in
      guard let reason = ConnectionReason(rawValue: text) else { throw ConnectionRow.Unreadable() }
      return reason
    }
    self.init(
      account: GoogleAccount(
        subject: row.identifier(3), email: row.text(4), name: row.text(5), emailVerified: row.flag(6)),
      recordedStatus: status, reason: reason, scopes: GrantedScopes(row.text(7)),
      connectedAt: row.timestamp(8),
      lastRefreshedAt: row.optionalTimestamp(9), accessExpiresAt: row.timestamp(10),
      grantExpiresAt: row.optionalTimestamp(11), grantID: row.identifier(12),
      nextUseAt: row.optionalTimestamp(13), deadFence: row.optionalInteger(14), isOnProbation: row.flag(15),
      lastUpload: Self.lastUpload(row))
  }

  /// A reply that cannot be read is not repeated; then the upload is taken as new.
  private static func lastUpload(_ row: SQLiteRow) -> RememberedUpload? {
    guard let text = row.optionalText(17),
      let reply = ConnectReply(json: text)
    else { return nil }
    return RememberedUpload(fingerprint: row.blob(16), reply: reply)
  }
}
