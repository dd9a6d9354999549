import Domain
import Primitives

/// A change of one user's connection as it will be written: decided and sealed. An object, since it is handed on.
final class SealedChange: Sendable {
  /// What was decided.
  let change: VaultChange
  /// What becomes the secret; nil when no tokens do.
  let secret: SealedSecret?
  /// Who holds the account from now on; nil when that stays.
  let holder: GoogleSubject?
  /// What will be known of the connection, and how its row is stored; nil when the row stays.
  let row: (entry: ConnectionCache.Entry, values: [SQLiteValue])?

  /// Seals `change` of what is stored for `user`: `snapshot`, with `old` as its secret (nil where none opens) under
  /// `version`, and `aside`, which can be restored.
  init(
    _ change: VaultChange, of user: UserID, upon snapshot: VaultSnapshot, _ old: SealedSecret?,
    version: String?, aside: OAuthTokens?, in database: SQLiteDatabase
  ) throws {
    self.change = change
    // In one draw, since each asks the system; none where nothing is written.
    lazy var random = database.random.bytes(24)
    secret = try Self.tokens(change.secret, upon: snapshot, aside).map {
      try database.sealed.sealSecret($0, of: user, version: Base64URL.encode(Array(random[..<16])))
    }
    holder = secret?.content.holder.flatMap { $0 == snapshot.secret.holder ? nil : $0 }
    let remains = !change.secret.removes
    let nextVersion = secret?.version ?? (remains ? version : nil)
    let record: GmailConnection?
    switch change.connection {
    case .keep where nextVersion == version:
      row = nil
      return
    case .keep: record = snapshot.connection
    case .put(let new): record = new
    case .forget: record = nil
    }
    let entry = ConnectionCache.Entry(
      revision: random.dropFirst(16).reduce(0) { $0 << 8 | Int64($1) },
      row: ConnectionRow(version: nextVersion, record: record), secret: secret ?? (remains ? old : nil),
      lease: snapshot.lease)
    row = (entry, entry.row.values(of: user, revision: entry.revision))
  }

  /// The tokens that become the secret, if any do.
  private static func tokens(
    _ change: VaultChange.SecretChange, upon snapshot: VaultSnapshot, _ aside: OAuthTokens?
  ) -> OAuthTokens? {
    switch (change, snapshot.secret) {
    case (.put(let tokens), _): return tokens
    case (.restoreAside, .none):
      var tokens = aside
      tokens?.grantID = aside?.grantID ?? snapshot.connection?.grantID
      return tokens
    default: return nil
    }
  }
}

extension VaultChange.SecretChange {
  /// Whether the secret leaves its name, and nothing takes its place.
  var removes: Bool {
    switch self {
    case .remove, .setAside: true
    case .keep, .put, .restoreAside: false
    }
  }
}
