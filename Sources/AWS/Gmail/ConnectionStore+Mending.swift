import Domain
import Primitives

/// The transaction that writes a record, and what mends one whose writer did not come to an end.
extension ConnectionStore {
  /// Writes `record` over `old`, with `extra`, if the user exists and nobody wrote it meanwhile.
  func write(
    _ record: ConnectionRecord, of user: UserID, over old: ConnectionRecord, with extra: [TransactionWrite]
  ) async throws(StoreError) -> RecordWrite.Begun {
    defer { recent.end(user) }
    var record = record
    let revision = random.token128()
    record.revision = revision
    var item = record.item(of: user)
    item[ConnectionRecord.revision] = .string(revision)
    let writes: [TransactionWrite] = [
      .put(table: tables.own, item, condition: Self.isStill(old)),
      .check(
        table: tables.users, key: ItemKey.user(user), condition: "attribute_exists(\(name: "UserID"))"),
    ]
    do throws(AWSError) {
      try await dynamoDB.transactWriteItems(writes + extra)
      return .written(record)
    } catch {
      guard let refusal = error.failure, refusal.isConditionalCheckFailed || refusal.isConflict else {
        throw failure.error(error, in: "writing a connection")
      }
      if refusal.followsUnknownOutcome, try await loadItems(user).record.revision == revision {
        return .written(record)
      }
      let isOfUser = refusal.cancellationReasons.dropFirst().first?.isConditionalCheckFailed ?? false
      return isOfUser ? .noSuchUser : .conflict
    }
  }

  static func isStill(_ record: ConnectionRecord) -> DynamoDBExpression {
    guard let revision = record.revision else { return "attribute_not_exists(\(name: "PK"))" }
    return "\(name: ConnectionRecord.revision) = \(.string(revision))"
  }

  // MARK: Mending

  /// Does what `standing` needs before anything is decided upon it.
  func mend(_ standing: Standing, _ loaded: Loaded, of user: UserID) async throws(StoreError) {
    let record = loaded.items.record
    switch standing.mending {
    case .none, .wait: return
    case .settle: _ = try await settle(record, of: user)
    case .rollBack:
      failure.log.warning("write_rolled_back")
      _ = try await rollBack(record, of: user)
    case .putBack:
      failure.log.warning("late_write_undone")
      try await putBack(standing, loaded, of: user)
    }
  }

  /// The new account is held instead of the old one, whose revocation is queued.
  func settle(_ record: ConnectionRecord, of user: UserID) async throws(StoreError) -> RecordWrite.Begun {
    guard let settlement = record.write?.settlement else { return .written(record) }
    var settled = record
    settled.write = nil
    settled.holder = settlement.holder
    var writes: [TransactionWrite] = []
    if let old = record.holder, old != settlement.holder {
      writes.append(AccountItem.releasing(old, by: user, in: tables.own))
    }
    if let order = settlement.order { writes.append(.put(table: tables.own, order)) }
    return try await write(settled, of: user, over: record, with: writes)
  }

  /// The record says again what stood before the write that it names. Its count goes on, so that this write, should
  /// it still come, is known to be late.
  func rollBack(_ record: ConnectionRecord, of user: UserID) async throws(StoreError) -> RecordWrite.Begun {
    guard let before = record.write?.before else { return .written(record) }
    var restored = record
    restored.loseVersion()
    restored.connection = before.connection
    restored.version = before.version
    restored.tokensFence = before.tokensFence
    restored.aside = before.aside
    restored.holder = before.holder
    restored.fence += 1
    restored.write = nil
    var writes: [TransactionWrite] = []
    if let new = record.write?.settlement?.holder ?? record.holder, new != before.holder {
      writes.append(AccountItem.releasing(new, by: user, in: tables.own))
    }
    return try await write(restored, of: user, over: record, with: writes)
  }

  /// The value that stands gets its place again, under a new version.
  private func putBack(_ standing: Standing, _ loaded: Loaded, of user: UserID) async throws(StoreError) {
    guard let tokens = standing.secret.tokens else { return }
    var change = ConnectionChange(standing, loaded.items.record)
    change.apply(VaultChange(secret: .put(tokens)), version: random.uuid(), keptName: "")
    let write = RecordWrite(store: self, user: user, loaded: loaded, account: nil, began: time.now())
    guard case .written(let written) = try await write.begin(change, order: nil) else { return }
    do throws(PlaceError) { try await place.carryOut(change.place, of: user) } catch {
      _ = try await write.fail(written, error)
    }
  }

  // MARK: Tidying

  /// The values that were to be destroyed are.
  func forgetDoomed(_ names: Set<String>, of user: UserID) async throws(StoreError) {
    _ = try await failure.run("forgetting destroyed values") { () async throws(AWSError) in
      try await dynamoDB.updateItem(
        tables.own, key: ItemKey.connection(of: user), "DELETE \(name: "Doomed") \(.strings(names))",
        isRepeatable: true)
    }
  }

  /// Forgets an account that nobody holds and nobody revokes.
  func forgetUnheld(_ subject: GoogleSubject) async throws(StoreError) {
    do throws(AWSError) {
      try await dynamoDB.deleteItem(
        tables.own, key: ItemKey.account(subject),
        condition:
          "\(expression: AccountItem.isFree) AND attribute_not_exists(\(name: AccountItem.markStartedAt))",
        isRepeatable: true)
    } catch {
      guard error.failure?.isConditionalCheckFailed ?? false else {
        throw failure.error(error, in: "forgetting an account")
      }
    }
  }
}
