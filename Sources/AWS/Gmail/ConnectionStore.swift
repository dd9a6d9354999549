import Domain
import Primitives

/// Connection records in DynamoDB, beside values in their place: what the vaults and the store of users have in
/// common.
package struct ConnectionStore: Sendable {
  let dynamoDB: DynamoDB
  let tables: StoreTables
  let place: any TokenPlace
  let sealer: KMSSealer
  let failure: StoreFailure
  let time: TimeSource
  let random: RandomSource
  let recent = RecentReads()
  /// Within a process changes of one user's connection would only be in each other's way.
  let turns = Turns<UserID>()
  /// Names this process in what it says beforehand.
  let owner: String

  init(
    dynamoDB: DynamoDB, tables: StoreTables, place: any TokenPlace, sealer: KMSSealer, time: TimeSource,
    random: RandomSource, failure: StoreFailure
  ) {
    self.dynamoDB = dynamoDB
    self.tables = tables
    self.place = place
    self.sealer = sealer
    self.failure = failure
    self.time = time
    self.random = random
    owner = random.token128()
  }

  // MARK: Items

  /// The items of `user`, and of the Google account `account`, in one request.
  func loadItems(_ user: UserID, account: GoogleSubject? = nil) async throws(StoreError) -> LoadedItems {
    var keys = [ItemKey.connection(of: user)] + place.itemKeys(of: user)
    if let account { keys.append(ItemKey.account(account)) }
    let found = try await failure.run("reading a connection") { [keys] () async throws(AWSError) in
      try await dynamoDB.batchGetItems([
        DynamoDB.Keys(table: tables.users, keys: [ItemKey.user(user)]),
        DynamoDB.Keys(table: tables.own, keys: keys),
      ])
    }
    let own = found[tables.own] ?? []
    return LoadedItems(
      user: found[tables.users]?.first,
      record: try record(own.first { $0.contains(ItemKey.connection(of: user)) }), place: own,
      account: account.map { subject in
        AccountItem(subject, own.first { $0.contains(ItemKey.account(subject)) })
      })
  }

  func record(_ item: DynamoDBItem?) throws(StoreError) -> ConnectionRecord {
    do { return try ConnectionRecord(item) } catch {
      failure.log.error("record_unreadable")
      throw .unavailable
    }
  }

  /// The item of a user whose session is checked. What was read of the connection along with it is kept for the read
  /// that follows.
  func loadForSession(_ user: UserID) async throws(StoreError) -> DynamoDBItem? {
    let (epoch, now) = (recent.epoch, time.now())
    let items = try await loadItems(user)
    recent.keep(RecentReads.Entry(items: items, readAt: now), of: user, since: epoch)
    return items.user
  }

  // MARK: What stands

  /// The items of `user` and what is in the place, read side by side.
  func load(_ user: UserID, account: GoogleSubject? = nil) async throws(StoreError) -> Loaded {
    async let asked = findResult(user)
    let items: LoadedItems
    do throws(StoreError) { items = try await loadItems(user, account: account) } catch {
      _ = await asked
      throw error
    }
    return try await loaded(user, items, found: try await asked.get())
  }

  func loaded(_ user: UserID, _ items: LoadedItems, found: FoundValue?) async throws(StoreError) -> Loaded {
    guard let found else {
      return Loaded(
        items: items, found: try await place.find(user, in: items.place, record: items.record))
    }
    return Loaded(items: items, found: found)
  }

  private func findResult(_ user: UserID) async -> Result<FoundValue?, StoreError> {
    do throws(StoreError) { return .success(try await place.find(user)) } catch { return .failure(error) }
  }

  /// What stands for `user`. A record and a value that were read side by side may be of two moments; where they
  /// differ because of that, both are read again.
  func standing(of user: UserID, account: GoogleSubject? = nil, first: Loaded? = nil)
    async throws(StoreError) -> (Loaded, Standing)
  {
    var loaded: Loaded
    if let first { loaded = first } else { loaded = try await load(user, account: account) }
    for _ in 0..<Self.mostLooks where loaded.mayBeOfTwoMoments(at: time.now()) {
      let again = try await load(user, account: account)
      // What differs a second time beside a record that did not change does differ.
      let isUnchanged = again.items.record.revision == loaded.items.record.revision
      loaded = again
      if isUnchanged { break }
    }
    return (loaded, try await resolve(loaded, of: user))
  }

  private static let mostLooks = 3

  // MARK: Profiles

  /// The user and their connection, as it stands.
  func profile(of id: UserID) async throws(StoreError) -> Profile? {
    let (loaded, standing) = try await standing(of: id)
    guard let user = loaded.items.user.flatMap(UserItem.user) else { return nil }
    let snapshot = standing.snapshot(lease: nil, mark: nil)
    if case .unusable = snapshot.secret, snapshot.connection == nil {
      // Nothing is known of it, and whoever uses it next moves it aside.
      let change = snapshot.losingItsSecret(at: time.now(), because: .unreadable)
      if case .put(let record) = change.connection { return Profile(user: user, connection: record) }
    }
    return Profile(user: user, connection: snapshot.ownRecord)
  }
}

/// What was read of a user.
struct Loaded: Sendable {
  let items: LoadedItems
  let found: FoundValue

  /// Whether the value is the one that the record names.
  var isOfOneMoment: Bool { items.record.version == found.value?.version }

  /// Whether they may differ only because a write fell between the two reads. A value that is none of our writing
  /// says so itself, and where there is none, a write under way would be on record.
  func mayBeOfTwoMoments(at now: Timestamp) -> Bool {
    if isOfOneMoment { return false }
    guard let value = found.value else { return items.record.write?.isLive(at: now) ?? !items.place.isEmpty }
    return value.fence != nil || value.tokens == nil
  }
}
