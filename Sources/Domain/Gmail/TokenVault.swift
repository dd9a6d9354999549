import Primitives

/// Keeps connections: the sealed secret `gmail/user/{user_id}`, the connection record beside it, leases,
/// values set aside, holders of Google accounts, and revocations owed.
///
/// What every adapter promises, and `TokenVaultContract` tests:
/// - ``update(_:account:_:)`` is one transaction: what `decide` saw is what its change is made upon, the
///   change is there entirely or not at all, and it is durable when the call returns.
/// - A secret opens only for its user, under the version that the record names.
/// - Holders follow secrets: a user holds a Google account exactly while their secret is of that account.
/// - At most one value is aside that can be restored: the last one that was set aside, until tokens are put.
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
