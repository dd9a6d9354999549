import Domain
import Primitives

/// Removing a user with all that is kept for them, but revocations owed.
extension ConnectionStore {
  private static let mostAttempts = 5

  /// False while there is a secret. `unlocking` gives the writes that set the user's address free.
  func removeUser(
    _ id: UserID, unlocking: @Sendable (User) async throws(AWSError) -> [TransactionWrite]
  ) async throws(StoreError) -> Bool {
    await turns.take(id)
    let outcome: Result<Bool, StoreError>
    do throws(StoreError) { outcome = .success(try await removeInTurn(id, unlocking)) } catch {
      outcome = .failure(error)
    }
    await turns.leave(id)
    return try outcome.get()
  }

  private func removeInTurn(
    _ id: UserID, _ unlocking: @Sendable (User) async throws(AWSError) -> [TransactionWrite]
  ) async throws(StoreError) -> Bool {
    for _ in 0..<Self.mostAttempts {
      let (loaded, standing) = try await standing(of: id)
      guard let user = loaded.items.user.flatMap(UserItem.user) else { return true }
      switch standing.mending {
      case .none: break
      case .wait: return false
      case .settle, .rollBack, .putBack:
        try await mend(standing, loaded, of: id)
        continue
      }
      guard case .none = standing.secret else { return false }
      if try await remove(user, loaded, standing, unlocking) { return true }
    }
    throw .unavailable
  }

  /// False where something came in between.
  private func remove(
    _ user: User, _ loaded: Loaded, _ standing: Standing,
    _ unlocking: @Sendable (User) async throws(AWSError) -> [TransactionWrite]
  ) async throws(StoreError) -> Bool {
    let record = loaded.items.record
    // What could not be read goes first, where it is not in the transaction: later nobody knows its names.
    let unread = PlaceChange(found: .absent, destroys: record.kept.union(record.doomed))
    try await destroy(unread, of: user.id)
    let change = PlaceChange(found: standing.found, step: .remove)
    var values = try await place.prepare(change, of: user.id)
    values += try await place.prepare(unread, of: user.id)
    try await DynamoDBRefreshLedger(dynamoDB: dynamoDB, tables: tables, random: random, failure: failure)
      .forget(user.id)
    guard try await removeItems(user, record, values, unlocking) else { return false }
    try await destroy(change, of: user.id)
    if let holder = record.holder { try await forgetUnheld(holder) }
    return true
  }

  private func removeItems(
    _ user: User, _ record: ConnectionRecord, _ values: [TransactionWrite],
    _ unlocking: @Sendable (User) async throws(AWSError) -> [TransactionWrite]
  ) async throws(StoreError) -> Bool {
    defer { recent.end(user.id) }
    do throws(AWSError) {
      var writes: [TransactionWrite] = [
        .delete(table: tables.users, key: ItemKey.user(user.id)),
        .delete(
          table: tables.own, key: ItemKey.connection(of: user.id), condition: Self.isStill(record)),
      ]
      if let holder = record.holder {
        writes.append(AccountItem.releasing(holder, by: user.id, in: tables.own))
      }
      try await dynamoDB.transactWriteItems(writes + values + (try await unlocking(user)))
      return true
    } catch {
      guard let refusal = error.failure, refusal.isConditionalCheckFailed || refusal.isConflict else {
        throw failure.error(error, in: "removing a user")
      }
      return false
    }
  }

  private func destroy(_ change: PlaceChange, of user: UserID) async throws(StoreError) {
    do throws(PlaceError) { try await place.carryOut(change, of: user) } catch { throw .unavailable }
  }
}
