import Primitives

/// Keeps connections: the sealed secret `gmail/user/{user_id}`, the connection record beside it, leases,
/// values set aside, holders of Google accounts, and revocations owed.
///
/// What every adapter promises, and `TokenVaultContract` tests:
/// - ``update(_:account:_:)`` is one transaction: what `decide` saw is what its change is made upon, the
///   change is there entirely or not at all, and it is durable when the call returns.
/// - A secret opens only for its user, under the version that the record names.
/// - Holders follow secrets: a user holds a Google account exactly while their secret is of that account.
/// - A value that does not open is never overwritten or destroyed by a change of the secret: `put`, `remove`
///   and `setAside` all move it aside, marked unreadable, from where nothing restores it. Only
///   `discardsAsides` and the user's removal destroy it.
/// - A value that cannot be opened for the moment (its key is missing) is none of that: every call that
///   meets it fails with `StoreError.unavailable` and changes nothing.
package protocol TokenVault: Sendable {
  /// What is stored for `user`; an empty snapshot when the user does not exist. It includes every change
  /// that was acknowledged before the call, by whichever process.
  func read(_ user: UserID) async throws(StoreError) -> VaultSnapshot

  /// Changes what is stored for `user` to what `decide` says of it. `account` names the Google account
  /// whose revocation mark `decide` has to see. `decide` may be called more than once, must be pure, and
  /// fails with `StoreError.noSuchUser` when the user does not exist.
  func update<Result: Sendable>(
    _ user: UserID, account: GoogleSubject?,
    _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
  ) async throws(StoreError) -> Result

  /// Takes the lease on `user`'s connection for `owner` until `expiry`, unless one is live at `now`. Its
  /// fencing number is one more than that of the last lease ever taken for this user, whatever became of
  /// the connection meanwhile. Fails with `StoreError.noSuchUser` when the user does not exist.
  func acquireLease(on user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
    async throws(StoreError) -> LeaseAttempt

  /// Gives `lease` up, if it is still the newest; else nothing happens. The fencing number stays.
  func release(_ lease: RefreshLease, on user: UserID) async throws(StoreError)

  /// Users whose grant is due for a use at `now`, longest overdue first; then those who are due more than a day
  /// ahead, which only a wrong clock can have written.
  func dueForUse(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID]

  /// Users whose connection is recorded as `limited` and has ended by `now`, longest ended first.
  func spent(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID]

  /// Users with something set aside at or after `since` because Google said `invalid_grant`.
  func setAside(since: Timestamp) async throws(StoreError) -> [UserID]

  /// Destroys the tokens that were set aside before `before`. A value that does not open stays: nobody can
  /// say that nothing of worth is in it.
  func discardAsides(before: Timestamp) async throws(StoreError)

  /// Every user and their connection, by case-folded e-mail, for the operator's list.
  func connections() async throws(StoreError) -> [Profile]
}

extension TokenVault {
  /// An update that meets no Google account.
  package func update<Result: Sendable>(
    _ user: UserID, _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
  ) async throws(StoreError) -> Result {
    try await update(user, account: nil, decide)
  }
}

/// What is stored for a user at one moment.
package struct VaultSnapshot: Sendable {
  /// The connection record; nil when there is none.
  package var connection: GmailConnection?
  /// The secret.
  package var secret: StoredSecret
  /// The newest lease ever taken on the connection, live or not.
  package var lease: RefreshLease?
  /// The newest value set aside that opens; looked up only while there is no secret.
  package var aside: AsideTokens?
  /// The revocation mark of the account that `update` was asked about.
  package var revocation: RevocationMark?

  /// A snapshot.
  package init(
    connection: GmailConnection?, secret: StoredSecret, lease: RefreshLease? = nil, aside: AsideTokens? = nil,
    revocation: RevocationMark? = nil
  ) {
    self.connection = connection
    self.secret = secret
    self.lease = lease
    self.aside = aside
    self.revocation = revocation
  }
}

extension VaultSnapshot {
  /// The record, or one made of the secret where an older backend wrote none beside it.
  package var ownRecord: GmailConnection? {
    if let connection { return connection }
    guard let tokens = secret.tokens, let grantID = secret.grantID else { return nil }
    return GmailConnection(
      account: tokens.account, recordedStatus: tokens.refreshToken == nil ? .limited : .connected,
      scopes: tokens.scopes, connectedAt: tokens.writtenAt, accessExpiresAt: tokens.expiresAt,
      grantID: grantID)
  }
}

/// The value under `gmail/user/{user_id}`.
package enum StoredSecret: Sendable {
  /// There is none.
  case none
  /// Usable tokens; a grant without an id of its own goes by its store version.
  case tokens(OAuthTokens, grantID: GrantID)
  /// A value that holds no usable tokens, or does not open.
  case unusable

  /// The tokens, when there are usable ones.
  package var tokens: OAuthTokens? { if case .tokens(let tokens, _) = self { tokens } else { nil } }
  /// The grant's name, when there are usable tokens.
  package var grantID: GrantID? { if case .tokens(_, let grantID) = self { grantID } else { nil } }
}

/// Tokens that were set aside.
package struct AsideTokens: Sendable {
  /// The tokens.
  package let tokens: OAuthTokens
  /// Since when.
  package let since: Timestamp
  /// Tokens set aside.
  package init(tokens: OAuthTokens, since: Timestamp) {
    self.tokens = tokens
    self.since = since
  }
}

/// What to change; whatever is not mentioned stays.
package struct VaultChange: Sendable {
  /// What becomes of the secret.
  package enum SecretChange: Sendable {
    /// It stays.
    case keep
    /// These tokens take its place. A value that does not open is set aside first.
    case put(OAuthTokens)
    /// It goes. A value that does not open is set aside, unless this change discards what is aside.
    case remove
    /// It leaves its name at that moment and is kept aside; nothing happens where there is none.
    case setAside(at: Timestamp, because: ConnectionReason)
  }
  /// What becomes of the connection record.
  package enum RecordChange: Sendable {
    /// It stays.
    case keep
    /// This takes its place.
    case put(GmailConnection)
    /// It is forgotten.
    case forget
  }

  /// What becomes of the secret.
  package var secret: SecretChange = .keep
  /// What becomes of the record.
  package var connection: RecordChange = .keep
  /// Whether everything set aside for this user before this change is destroyed.
  package var discardsAsides = false
  /// A token to queue for revocation.
  package var revocation: RevocationOrder?

  /// No change.
  package static let none = VaultChange()
  /// A change.
  package init(
    secret: SecretChange = .keep, connection: RecordChange = .keep, discardsAsides: Bool = false,
    revocation: RevocationOrder? = nil
  ) {
    self.secret = secret
    self.connection = connection
    self.discardsAsides = discardsAsides
    self.revocation = revocation
  }
}
