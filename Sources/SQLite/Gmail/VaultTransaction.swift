import Domain
import Primitives

/// Carries out one change of a user's connection within a write transaction.
final class VaultTransaction {
  private let connection: SQLiteConnection
  private let rows: VaultRows
  private let random: RandomSource
  private let now: Timestamp
  private let user: UserID
  private let cache: ConnectionCache
  /// The version that the record names; nil without one.
  private let version: String?
  private let aside: VaultRows.Aside?
  /// What the change is made upon.
  let snapshot: VaultSnapshot

  /// Reads what is stored for `user`; fails with `StoreError.noSuchUser` when the user does not exist.
  init(_ user: UserID, account: GoogleSubject?, on connection: SQLiteConnection, of database: SQLiteDatabase)
    throws
  {
    self.connection = connection
    self.user = user
    random = database.random
    now = database.time.now()
    rows = VaultRows(connection: connection, sealed: database.sealed)
    cache = database.connections
    guard let beside = try rows.beside(user, account: account) else { throw StoreError.noSuchUser }
    version = beside.version
    let known = beside.revision.flatMap { database.connections[user, $0] }
    // Always read anew: here a value that does not open has to be noticed.
    let secret = try rows.secret(beside.sealed, of: user, version: version)
    if case .none = secret { aside = try rows.newestAside(of: user) } else { aside = nil }
    snapshot = VaultSnapshot(
      connection: try known.map(\.record) ?? ConnectionRow.load(user, connection)?.record, secret: secret,
      lease: beside.lease, aside: aside?.summary, revocation: beside.mark)
  }

  /// Makes `change`.
  func apply(_ change: VaultChange) throws {
    if change.discardsAsides {
      try connection.run("DELETE FROM asides WHERE user_id = ?", SQLiteValue(user))
    }
    let (version, secret) = try apply(change.secret, discarding: change.discardsAsides)
    if let order = change.revocation { try queue(order) }
    if let owed = change.asideRevocation,
      let order = aside?.tokens.revocationOrder(
        id: owed.id, now: owed.queuedAt, baseURL: owed.googleBaseURL)
    {
      try queue(order)
    }
    let record: GmailConnection?
    switch change.connection {
    case .keep:
      guard version != self.version else { return }
      record = snapshot.connection
    case .put(let new): record = new
    case .forget: record = nil
    }
    let revision = random.bytes(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    try ConnectionRow(revision: revision, version: version, record: record).store(user, connection)
    // Should this not be committed, nobody will ever find the row at this revision.
    cache.insert(ConnectionCache.Entry(revision: revision, record: record, secret: secret), for: user)
  }

  // MARK: The secret

  /// Gives the version that the record has to name afterwards, and the secret as it will be read.
  private func apply(_ change: VaultChange.SecretChange, discarding: Bool) throws
    -> (version: String?, secret: StoredSecret)
  {
    switch change {
    case .keep: return (version, snapshot.secret)
    case .put(let tokens):
      if case .unusable = snapshot.secret { try keepUnreadable(since: now) }
      return try put(tokens)
    case .remove:
      if case .unusable = snapshot.secret, !discarding { try keepUnreadable(since: now) }
    case .setAside(let moment, let reason):
      switch snapshot.secret {
      case .none: break
      case .unusable: try keepUnreadable(since: moment)
      case .tokens(var tokens, let grantID):
        // Restored, it has another store version: its name has to go with it.
        tokens.grantID = grantID
        try keep(tokens, since: moment, because: reason)
      }
    case .restoreAside:
      guard case .none = snapshot.secret, var tokens = aside?.tokens else {
        return (version, snapshot.secret)
      }
      tokens.grantID = tokens.grantID ?? snapshot.connection?.grantID
      return try put(tokens)
    }
    try connection.run("DELETE FROM secrets WHERE user_id = ?", SQLiteValue(user))
    try connection.run("DELETE FROM holders WHERE user_id = ?", SQLiteValue(user))
    return (nil, .none)
  }

  private func put(_ tokens: OAuthTokens) throws -> (version: String?, secret: StoredSecret) {
    // Beside tokens nothing is aside that could be restored.
    if !snapshot.secret.hasTokens {
      try connection.run("DELETE FROM asides WHERE user_id = ? AND is_readable = 1", SQLiteValue(user))
    }
    let version = random.token128()
    let (value, secret) = try rows.sealed.sealSecret(tokens, of: user, version: version)
    let name = SQLiteValue.text(SealedValues.secretName(of: user))
    if case .none = snapshot.secret {
      try connection.run(
        "INSERT INTO secrets (name, user_id, sealed) VALUES (?, ?, ?)", name, SQLiteValue(user), .blob(value))
    } else {
      try connection.run("UPDATE secrets SET sealed = ? WHERE name = ?", .blob(value), name)
    }
    // Beside tokens stands who holds them.
    if snapshot.secret.holder != tokens.account.subject {
      try connection.run(
        """
        INSERT INTO holders (google_sub, user_id) VALUES (?, ?)
        ON CONFLICT (user_id) DO UPDATE SET google_sub = excluded.google_sub
        """,
        SQLiteValue(tokens.account.subject), SQLiteValue(user))
    }
    return (version, secret)
  }

  private func keep(_ tokens: OAuthTokens, since: Timestamp, because reason: ConnectionReason) throws {
    let id = random.token128()
    let value = try rows.sealed.seal(tokens, for: SealedValues.aside(id, of: user))
    try connection.run(
      """
      INSERT INTO asides (id, user_id, set_aside_at, reason, is_readable, version, sealed)
      VALUES (?, ?, ?, ?, 1, NULL, ?)
      """, .text(id), SQLiteValue(user), SQLiteValue(since), .text(reason.rawValue), .blob(value))
  }

  /// Copies a value that does not open as it is.
  private func keepUnreadable(since: Timestamp) throws {
    try connection.run(
      """
      INSERT INTO asides (id, user_id, set_aside_at, reason, is_readable, version, sealed)
      SELECT ?, user_id, ?, ?, 0, ?, sealed FROM secrets WHERE user_id = ?
      """, .text(random.token128()), SQLiteValue(since), .text(ConnectionReason.unreadable.rawValue),
      SQLiteValue(version), SQLiteValue(user))
  }

  // MARK: The queue

  private func queue(_ order: RevocationOrder) throws {
    let context = SealedValues.revocation(order.id, of: order.subject, at: order.googleBaseURL)
    try connection.run(
      """
      INSERT INTO revocations (id, google_sub, google_base_url, queued_at, next_attempt_at, sealed)
      VALUES (?1, ?2, ?3, ?4, ?4, ?5)
      """, .text(order.id), SQLiteValue(order.subject), .text(order.googleBaseURL),
      SQLiteValue(order.queuedAt),
      .blob(try rows.sealed.seal(order.token, for: context)))
  }
}
