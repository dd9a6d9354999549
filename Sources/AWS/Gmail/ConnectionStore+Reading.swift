import Domain
import Primitives

/// Reading one user's connection, and the lists.
extension ConnectionStore {
  /// How many users an operator's list and a tidying look at side by side.
  private static let width = 8

  func read(_ user: UserID) async throws(StoreError) -> VaultSnapshot {
    let (epoch, now) = (recent.epoch, time.now())
    var first: Loaded?
    if let entry = recent.take(user, at: now, within: RecentReads.fresh) {
      // What is in the items is no other than it was a moment ago.
      let known = place.changesAfterRecord ? nil : entry.found
      var found = try await place.find(user)
      found = found ?? known
      let loaded = try await loaded(user, entry.items, found: found)
      if !loaded.mayBeOfTwoMoments(at: now) { first = loaded }
    }
    let (loaded, standing) = try await standing(of: user, first: first)
    guard loaded.items.user != nil else { return VaultSnapshot(connection: nil, secret: .none) }
    recent.keep(
      RecentReads.Entry(items: loaded.items, found: loaded.found, readAt: now), of: user, since: epoch)
    return standing.snapshot(lease: loaded.items.record.lease, mark: nil)
  }

  // MARK: Lists

  func dueForUse(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try await failure.run("listing grants to be used") { () async throws(AWSError) in
      let overdue = try await shards { (queue) async throws(AWSError) in
        try await dynamoDB.due(queue, in: tables, until: now, limit: limit)
      }
      let sorted = overdue.sorted { ($0["At"]?.integer ?? 0) < ($1["At"]?.integer ?? 0) }
      if sorted.count >= limit { return sorted.prefix(limit).compactMap(\.user) }
      let furthest = now + SweepGrants.furthestUse
      let misdated = try await shards { (queue) async throws(AWSError) in
        try await dynamoDB.due(queue, in: tables, after: furthest, limit: limit)
      }
      return (sorted + misdated).prefix(limit).compactMap(\.user)
    }
  }

  private func shards(
    _ list: @escaping @Sendable (String) async throws(AWSError) -> [DynamoDBItem]
  ) async throws(AWSError) -> [DynamoDBItem] {
    let results = await withTaskGroup(of: Result<[DynamoDBItem], AWSError>.self) { group in
      for shard in 0..<TimeQueue.useShards {
        group.addTask {
          do throws(AWSError) { return .success(try await list(TimeQueue.use(shard))) } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var items: [DynamoDBItem] = []
    for result in results { items += try result.get() }
    return items
  }

  func spent(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try await failure.run("listing ended connections") { () async throws(AWSError) in
      try await dynamoDB.due(TimeQueue.ending, in: tables, until: now, limit: limit).compactMap(\.user)
    }
  }

  func setAside(since: Timestamp) async throws(StoreError) -> [UserID] {
    try await failure.run("listing what is set aside") { () async throws(AWSError) in
      try await dynamoDB.due(TimeQueue.dead, in: tables, from: since).compactMap(\.user)
    }
  }

  func discardAsides(before: Timestamp) async throws(StoreError) {
    let last = before - .microseconds(1)
    for queue in [TimeQueue.dead, TimeQueue.aside] {
      let users = try await failure.run("listing old values set aside") { () async throws(AWSError) in
        try await dynamoDB.due(queue, in: tables, until: last).compactMap(\.user)
      }
      for user in users { try await discardAside(of: user, before: before) }
    }
  }

  /// One who is deleted meanwhile must not keep the others waiting.
  private func discardAside(of user: UserID, before: Timestamp) async throws(StoreError) {
    do throws(StoreError) {
      // What is no longer where it was aside only has to be forgotten.
      try await carryOut(user, account: nil) { stored in
        stored.aside.map { $0.since >= before } ?? false ? (.change(.none), ()) : (.endAside, ())
      }
    } catch {
      guard error == .noSuchUser else { throw error }
    }
  }

  /// Every user with their connection as it stands, by folded address.
  func profiles() async throws(StoreError) -> [Profile] {
    let items = try await failure.run("listing users") { () async throws(AWSError) in
      var query = DynamoDBQuery(tables.users, keys: nil)
      query.projection = ["UserID"]
      return try await dynamoDB.items(of: query)
    }
    let ids = items.compactMap { $0["UserID"]?.string.map { UserID($0) } }
    let results = await withTaskGroup(of: Result<Profile?, StoreError>.self) { group in
      var found: [Result<Profile?, StoreError>] = []
      for (index, id) in ids.enumerated() {
        if index >= Self.width, let result = await group.next() { found.append(result) }
        group.addTask {
          do throws(StoreError) { return .success(try await profile(of: id)) } catch {
            return .failure(error)
          }
        }
      }
      for await result in group { found.append(result) }
      return found
    }
    var profiles: [Profile] = []
    for result in results { if let profile = try result.get() { profiles.append(profile) } }
    return profiles.sorted { EmailAddress.fold($0.user.email) < EmailAddress.fold($1.user.email) }
  }
}
