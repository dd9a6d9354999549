import Domain
import Primitives

/// How a change is made: decided upon what stands, written on the condition that it still does, carried out where
/// the value lives.
extension ConnectionStore {
  /// How long a change waits for another process, and for its own turn after losing to others.
  private static let patience: Duration = .seconds(20)
  private static let firstPause: Duration = .milliseconds(25)
  private static let longestPause: Duration = .milliseconds(800)

  /// What is wanted of a user's connection.
  enum Wish: Sendable {
    /// What the domain decided.
    case change(VaultChange)
    /// That what is aside, and could be restored, is destroyed.
    case endAside

    /// Whether nothing is.
    fileprivate var isNone: Bool { if case .change(let change) = self { change.isNone } else { false } }
  }

  func update<Result: Sendable>(
    _ user: UserID, account: GoogleSubject?,
    _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
  ) async throws(StoreError) -> Result {
    try await carryOut(user, account: account) { stored in
      let (change, result) = decide(stored)
      return (.change(change), result)
    }
  }

  /// Does what `decide` wants of what stands.
  func carryOut<Result: Sendable>(
    _ user: UserID, account: GoogleSubject?, _ decide: @Sendable (VaultSnapshot) -> (Wish, Result)
  ) async throws(StoreError) -> Result {
    await turns.take(user)
    let outcome: Swift.Result<Result, StoreError>
    do throws(StoreError) { outcome = .success(try await updateInTurn(user, account, decide)) } catch {
      outcome = .failure(error)
    }
    await turns.leave(user)
    return try outcome.get()
  }

  private func updateInTurn<Result: Sendable>(
    _ user: UserID, _ account: GoogleSubject?,
    _ decide: @Sendable (VaultSnapshot) -> (Wish, Result)
  ) async throws(StoreError) -> Result {
    let end = time.now() + Self.patience
    var pause = Self.firstPause
    // What was read a moment ago will do: if it no longer stands, the write is refused.
    var recentlyRead = try await takeRecent(user, account: account)
    repeat {
      let isFresh = recentlyRead == nil
      let (loaded, standing) = try await standing(of: user, account: account, first: recentlyRead)
      recentlyRead = nil
      guard loaded.items.user != nil else { throw .noSuchUser }
      switch standing.mending {
      case .none: break
      case .wait:
        await wait(&pause)
        continue
      case .settle, .rollBack, .putBack:
        try await mend(standing, loaded, of: user)
        continue
      }
      let mark = loaded.items.account?.mark
      let (wish, result) = decide(standing.snapshot(lease: loaded.items.record.lease, mark: mark))
      switch try await commit(wish, standing, loaded, isFresh: isFresh, of: user) {
      case .done: return result
      case .lookAgain: continue
      case .lost: await wait(&pause)
      }
    } while time.now() < end
    failure.log.error("connection_contended")
    throw .unavailable
  }

  private func wait(_ pause: inout Duration) async {
    try? await time.sleep(pause * (0.5 + random.unit()))
    pause = min(pause * 2, Self.longestPause)
  }

  /// What was read of `user` a moment ago, if it can be decided upon. The mark of `account` is then taken to be
  /// none, which the write has as a condition.
  private func takeRecent(_ user: UserID, account: GoogleSubject?) async throws(StoreError) -> Loaded? {
    let now = time.now()
    guard var entry = recent.take(user, at: now, within: RecentReads.usable) else { return nil }
    var isFirst = false
    if case .absent = entry.found { isFirst = true }
    // What is new in its place is refused where there is something after all.
    if entry.found == nil || !isFirst && now - entry.readAt > RecentReads.freshValue {
      entry.found = try await place.find(user)
    }
    var items = entry.items
    items.account = account.map { AccountItem($0, nil) }
    let loaded = try await loaded(user, items, found: entry.found)
    return loaded.mayBeOfTwoMoments(at: now) ? nil : loaded
  }

  // MARK: Committing

  /// How far a change came.
  enum Commit {
    /// It is made.
    case done
    /// Nothing is to be changed, which has to be decided again upon what is read now.
    case lookAgain
    /// Another change came first.
    case lost
  }

  private func commit(
    _ wish: Wish, _ standing: Standing, _ loaded: Loaded, isFresh: Bool, of user: UserID
  ) async throws(StoreError) -> Commit {
    if wish.isNone { return isFresh ? .done : .lookAgain }
    var planned = ConnectionChange(standing, loaded.items.record)
    var order: DynamoDBItem?
    switch wish {
    case .endAside: planned.endAside()
    case .change(let change):
      let version = random.uuid()
      planned.apply(
        change, version: version,
        keptName: place.keptName(of: user, version: standing.value?.version ?? version))
      order = try await self.order(of: change, standing, of: user)
    }
    guard planned.changesAnything(of: user) || order != nil else { return isFresh ? .done : .lookAgain }
    let write = RecordWrite(
      store: self, user: user, loaded: loaded, account: loaded.items.account, began: time.now())
    return try await carry(planned, order, by: write)
  }

  private func carry(_ change: ConnectionChange, _ order: DynamoDBItem?, by write: RecordWrite)
    async throws(StoreError) -> Commit
  {
    switch try await write.begin(change, order: order) {
    case .conflict: return .lost
    case .noSuchUser: throw .noSuchUser
    case .written(let written):
      do throws(PlaceError) { try await place.carryOut(change.place, of: write.user) } catch {
        return try await write.fail(written, error)
      }
      if !write.isTimely, try await !write.stands(written) { return .lost }
      await write.finish(written, queued: order != nil)
      return .done
    }
  }

  // MARK: Revocations

  private func order(of change: VaultChange, _ standing: Standing, of user: UserID) async throws(StoreError)
    -> DynamoDBItem?
  {
    guard let owed = change.asideRevocation, let aside = standing.aside, case .none = standing.secret else {
      return try await order(change.revocation)
    }
    return try await orderForAside(owed, aside, of: user)
  }

  private func order(_ order: RevocationOrder?) async throws(StoreError) -> DynamoDBItem? {
    guard let order else { return nil }
    return try await OrderItem.item(of: order, sealer)
  }

  /// The revocation of what is aside, whose token only its place can read.
  private func orderForAside(_ owed: AsideRevocation, _ aside: RecordedAside, of user: UserID)
    async throws(StoreError) -> DynamoDBItem?
  {
    let value = try await place.openAside(of: user, aside)
    return try await order(
      value?.tokens?.revocationOrder(id: owed.id, now: owed.queuedAt, baseURL: owed.googleBaseURL))
  }
}

extension VaultChange {
  /// Whether nothing is to change at all.
  fileprivate var isNone: Bool {
    guard case .keep = secret, case .keep = connection else { return false }
    return !discardsAsides && revocation == nil && asideRevocation == nil
  }
}
