import Domain
import Primitives

/// Carries out one change of a user's connection within a write transaction.
struct VaultTransaction {
  private let connection: SQLiteConnection
  private let database: SQLiteDatabase
  private let user: UserID
  private let beside: VaultRows.Beside
  /// What was known of the connection last; its row may be at another revision now.
  private let known: ConnectionCache.Entry?
  /// The secret; nil when there is none, or it does not open.
  private let secret: SealedSecret?
  private let aside: VaultRows.Aside?

  /// Reads what is stored for `user`; fails with `StoreError.noSuchUser` when the user does not exist.
  init(_ user: UserID, account: GoogleSubject?, on connection: SQLiteConnection, of database: SQLiteDatabase)
    throws
  {
    self.connection = connection
    self.database = database
    self.user = user
    let rows = VaultRows(connection: connection, sealed: database.sealed)
    guard let beside = try rows.beside(user, account: account) else { throw StoreError.noSuchUser }
    self.beside = beside
    known = database.connections[user]
    // What is stored is always read: a value that was changed, moved or put back is opened, and found not to open.
    if let value = beside.sealed, let version = beside.version {
      if let known = known?.secret, known.isStored(as: value, version: version) {
        secret = known
      } else {
        secret = try database.sealed.openSecret(value, of: user, version: version)
      }
    } else {
      secret = nil
    }
    aside = beside.sealed == nil ? try rows.newestAside(of: user) : nil
  }

  /// What is stored.
  func snapshot() throws -> VaultSnapshot {
    let record: GmailConnection?
    if let known, known.revision == beside.revision {
      record = known.row.record
    } else {
      record = try ConnectionRow.load(user, connection)?.record
    }
    return VaultSnapshot(
      connection: record, secret: secret?.content ?? (beside.sealed == nil ? .none : .unusable),
      lease: beside.lease, aside: aside?.summary, revocation: beside.mark)
  }

  /// Whether what was known when a change was decided and sealed is what is stored.
  func stands(_ known: ConnectionCache.Entry) -> Bool {
    known.revision == beside.revision && known.lease == beside.lease && beside.mark == nil && secret != nil
  }

  /// Makes `change`, decided upon `snapshot`.
  func make(_ change: VaultChange, upon snapshot: VaultSnapshot) throws {
    try make(
      SealedChange(
        change, of: user, upon: snapshot, secret, version: beside.version, aside: aside?.tokens, in: database)
    )
  }

  /// Makes a change that is made upon what is stored.
  func make(_ sealed: SealedChange) throws {
    let change = sealed.change
    if change.discardsAsides {
      try connection.run("DELETE FROM asides WHERE user_id = ?", SQLiteValue(user))
    }
    try keepWhatGoes(change)
    if let secret = sealed.secret {
      try put(secret, holder: sealed.holder)
    } else if change.secret.removes {
      try connection.run("DELETE FROM secrets WHERE user_id = ?", SQLiteValue(user))
      try connection.run("DELETE FROM holders WHERE user_id = ?", SQLiteValue(user))
    }
    if let order = change.revocation { try queue(order) }
    if let owed = change.asideRevocation,
      let order = aside?.tokens.revocationOrder(
        id: owed.id, now: owed.queuedAt, baseURL: owed.googleBaseURL)
    {
      try queue(order)
    }
    guard let row = sealed.row else { return }
    try ConnectionRow.store(row.values, of: user, replaces: beside.revision != nil, connection)
    // Should this not be committed, nobody will ever find the row at this revision.
    database.connections.insert(row.entry, for: user)
  }

  // MARK: The secret

  private func put(_ new: SealedSecret, holder: GoogleSubject?) throws {
    // Beside tokens nothing is aside that could be restored.
    if secret == nil {
      try connection.run("DELETE FROM asides WHERE user_id = ? AND is_readable = 1", SQLiteValue(user))
    }
    if beside.sealed == nil {
      try connection.run(
        "INSERT INTO secrets (name, user_id, sealed) VALUES (?, ?, ?)",
        .text(SealedValues.secretName(of: user)), SQLiteValue(user), .blob(new.value))
    } else {
      try connection.run(
        "UPDATE secrets SET sealed = ? WHERE user_id = ?", .blob(new.value), SQLiteValue(user))
    }
    // Beside tokens stands who holds them.
    if let holder {
      try connection.run(
        """
        INSERT INTO holders (google_sub, user_id) VALUES (?, ?)
        ON CONFLICT (user_id) DO UPDATE SET google_sub = excluded.google_sub
        """,
        SQLiteValue(holder), SQLiteValue(user))
    }
  }

  /// Sets aside what the change takes from its place and must not destroy.
  private func keepWhatGoes(_ change: VaultChange) throws {
    let isUnusable = beside.sealed != nil && secret == nil
    switch change.secret {
    case .put where isUnusable: try keepUnreadable(since: database.time.now())
    case .remove where isUnusable && !change.discardsAsides: try keepUnreadable(since: database.time.now())
    case .setAside(let moment, _) where isUnusable: try keepUnreadable(since: moment)
    case .setAside(let moment, let reason):
      guard case .tokens(var tokens, let grantID) = secret?.content else { return }
      // Restored, it has another store version: its name has to go with it.
      tokens.grantID = grantID
      try keep(tokens, since: moment, because: reason)
    case .keep, .put, .remove, .restoreAside: break
    }
  }

  private func keep(_ tokens: OAuthTokens, since: Timestamp, because reason: ConnectionReason) throws {
    let id = database.random.token128()
    let value = try database.sealed.seal(tokens, for: SealedValues.aside(id, of: user))
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
      """, .text(database.random.token128()), SQLiteValue(since), .text(ConnectionReason.unreadable.rawValue),
      SQLiteValue(beside.version), SQLiteValue(user))
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
      .blob(try database.sealed.seal(order.token, for: context)))
  }
}
