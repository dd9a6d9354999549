import Domain
import Primitives

/// Writes a user's record together with all that goes into its transaction: that the user exists, who holds which
/// Google account, a revocation, values that live in the table.
struct RecordWrite: Sendable {
  let store: ConnectionStore
  let user: UserID
  let loaded: Loaded
  /// The Google account whose mark the decision saw.
  let account: AccountItem?
  /// When this began.
  let began: Timestamp

  /// How beginning went.
  enum Begun: Sendable {
    /// The record is written.
    case written(ConnectionRecord)
    /// What the decision saw no longer stands.
    case conflict
    /// The user does not exist.
    case noSuchUser
  }

  private var tables: StoreTables { store.tables }

  /// Writes the record. The secret changes in the same transaction, or else after it.
  func begin(_ change: ConnectionChange, order: DynamoDBItem?) async throws(StoreError) -> Begun {
    var record = change.record
    record.holder = change.holder
    var order = order
    if !store.place.changesAfterRecord {
      record.doomed = []
    } else if change.changesSecret {
      var intent = change.intent(owner: store.owner, until: began + WriteIntent.lifetime)
      if let old = loaded.items.record.holder, let new = change.holder, old != new {
        intent.settlement = WriteIntent.Settlement(holder: new, order: order)
        record.holder = old
        order = nil
      }
      record.write = intent
    }
    var extra = accountWrites(from: loaded.items.record.holder, to: record)
    if let order { extra.append(.put(table: tables.own, order)) }
    extra += try await store.place.prepare(change.place, of: user)
    return try await store.write(record, of: user, over: loaded.items.record, with: extra)
  }

  /// Who is to hold what, each account in one write, with the mark that was seen as a condition.
  private func accountWrites(from old: GoogleSubject?, to record: ConnectionRecord) -> [TransactionWrite] {
    var writes: [TransactionWrite] = []
    var isChecked = account == nil
    func condition(_ subject: GoogleSubject) -> DynamoDBExpression? {
      guard let account, account.subject == subject else { return nil }
      isChecked = true
      return account.markStands
    }
    let new = record.write?.settlement?.holder ?? record.holder
    if let new, new != old {
      writes.append(AccountItem.holding(new, by: user, in: tables.own, condition: condition(new)))
    }
    if let old, old != record.holder {
      writes.append(AccountItem.releasing(old, by: user, in: tables.own, condition: condition(old)))
    }
    if !isChecked, let account {
      writes.append(
        .check(table: tables.own, key: ItemKey.account(account.subject), condition: account.markStands))
    }
    return writes
  }

  // MARK: Afterwards

  /// Whether so little time passed that nobody can have taken this write for given up.
  var isTimely: Bool {
    let now = store.time.now()
    return !store.place.changesAfterRecord || (now >= began && now - began < WriteIntent.surely)
  }

  /// Whether what was written stands, for a writer who was stopped on the way. A value that came after its secret was
  /// removed goes again: its user may be removed too, and then nobody would ever look at it.
  func stands(_ written: ConnectionRecord) async throws(StoreError) -> Bool {
    let now = try await store.load(user)
    let record = now.items.record
    if now.items.user != nil, record.fence >= written.fence {
      guard let version = written.version else { return true }
      if record.version == version { return now.isOfOneMoment }
      // Others who came after it have built upon it.
      if !record.lost.contains(version) { return true }
    }
    let isLeftover = record.version == nil && record.aside == nil
    if let value = now.found.value, value.version == written.version, isLeftover {
      do throws(PlaceError) {
        try await store.place.carryOut(PlaceChange(found: now.found, step: .remove), of: user)
      } catch {
        store.failure.log.error("late_secret_not_removed")
      }
    }
    return false
  }

  /// Takes back what the record says where the value could not be changed. What leaves its place stays gone.
  func fail(_ written: ConnectionRecord, _ error: PlaceError) async throws(StoreError)
    -> ConnectionStore.Commit
  {
    if error != .unknown, written.write?.before != nil {
      do throws(StoreError) { _ = try await store.rollBack(written, of: user) } catch {
        store.failure.log.warning("write_not_taken_back")
      }
    }
    guard error == .overtaken else { throw .unavailable }
    return .lost
  }

  /// Does what comes after the change. It is on record: where it fails, the next change makes up for it.
  func finish(_ written: ConnectionRecord, queued: Bool) async {
    do throws(StoreError) {
      if written.write?.settlement != nil { try await settle(written) }
      if !written.doomed.isEmpty { try await store.forgetDoomed(written.doomed, of: user) }
      // A revocation that was queued leaves a mark there, and forgets the account with it.
      if !queued, let old = loaded.items.record.holder, old != written.holder {
        try await store.forgetUnheld(old)
      }
    } catch {
      store.failure.log.warning("change_to_be_finished_later")
    }
  }

  private func settle(_ written: ConnectionRecord) async throws(StoreError) {
    var record = written
    for _ in 0..<3 {
      if case .written = try await store.settle(record, of: user) { return }
      // A lease may have been taken or given up meanwhile.
      record = try await store.loadItems(user).record
      guard record.write?.settlement == written.write?.settlement else { return }
    }
  }
}
