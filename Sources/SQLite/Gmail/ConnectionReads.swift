import Domain
import Primitives

/// What is read often, and costs no more than a point query while it stays as it was.
extension Reader {
  /// The snapshot of `user`, read at one moment: one point query where the connection did not change since it was
  /// last read.
  func snapshot(of user: UserID, sealed: SealedValues) throws -> VaultSnapshot {
    if let found = try standing(of: user), found.hasSecret, let revision = found.revision,
      let known = cache[user, revision], let secret = known.secret
    {
      return VaultSnapshot(connection: known.row.record, secret: secret.content, lease: found.lease)
    }
    return try atOneMoment {
      guard let found = try standing(of: user) else { return VaultSnapshot(connection: nil, secret: .none) }
      let entry = try entry(of: user, revision: found.revision)
      guard found.hasSecret else {
        let rows = VaultRows(connection: connection, sealed: sealed)
        return VaultSnapshot(
          connection: entry?.row.record, secret: .none, lease: found.lease,
          aside: try rows.newestAside(of: user)?.summary)
      }
      return VaultSnapshot(
        connection: entry?.row.record,
        secret: try secret(of: user, entry, found.lease, sealed)?.content ?? .unusable,
        lease: found.lease)
    }
  }

  private func standing(of user: UserID) throws -> (revision: Int64?, hasSecret: Bool, lease: RefreshLease?)?
  {
    try connection.first(
      """
      SELECT c.revision, s.user_id IS NOT NULL, l.owner, l.fence, l.expires_at FROM users AS u
      LEFT JOIN connections AS c ON c.user_id = u.id
      LEFT JOIN secrets AS s ON s.user_id = u.id
      LEFT JOIN leases AS l ON l.user_id = u.id
      WHERE u.id = ?
      """, SQLiteValue(user)
    ) { row in
      let lease = row.isNull(2) ? nil : RefreshLease(row: row, from: 2)
      return (revision: row.optionalInteger(0), hasSecret: row.flag(1), lease: lease)
    }
  }

  /// The user and their connection, read at one moment.
  func profile(of id: UserID) throws -> Profile? {
    guard let found = try person(id) else { return nil }
    guard let revision = found.revision else { return Profile(user: found.user, connection: nil) }
    if let known = cache[id, revision] { return Profile(user: found.user, connection: known.row.record) }
    return try atOneMoment {
      try person(id).map {
        Profile(user: $0.user, connection: try entry(of: id, revision: $0.revision)?.row.record)
      }
    }
  }

  private func person(_ id: UserID) throws -> (user: User, revision: Int64?)? {
    try connection.first(
      """
      SELECT u.id, u.email, u.name, u.password_hash, u.created_at, u.sessions_valid_from, c.revision
      FROM users AS u LEFT JOIN connections AS c ON c.user_id = u.id WHERE u.id = ?
      """, SQLiteValue(id)
    ) { (user: User(row: $0), revision: $0.optionalInteger(6)) }
  }

  private func entry(of user: UserID, revision: Int64?) throws -> ConnectionCache.Entry? {
    guard let revision else {
      cache.remove(user)
      return nil
    }
    if let entry = cache[user, revision] { return entry }
    guard let row = try ConnectionRow.load(user, connection) else { return nil }
    let entry = ConnectionCache.Entry(revision: revision, row: row)
    cache.insert(entry, for: user)
    return entry
  }

  private func secret(
    of user: UserID, _ entry: ConnectionCache.Entry?, _ lease: RefreshLease?, _ sealed: SealedValues
  ) throws -> SealedSecret? {
    guard let entry, let version = entry.row.version else { return nil }
    if let secret = entry.secret { return secret }
    let value = try connection.first("SELECT sealed FROM secrets WHERE user_id = ?", SQLiteValue(user)) {
      $0.blob(0)
    }
    let secret = try value.flatMap { try sealed.openSecret($0, of: user, version: version) }
    cache.insert(
      ConnectionCache.Entry(revision: entry.revision, row: entry.row, secret: secret, lease: lease), for: user
    )
    return secret
  }
}
