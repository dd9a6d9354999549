import Domain
import Primitives

/// Users in the older backend's table, their addresses locked in our own.
package struct DynamoDBUserStore: UserStore {
  let connections: ConnectionStore
  private let emails: EmailOwners
  private var dynamoDB: DynamoDB { connections.dynamoDB }
  private var tables: StoreTables { connections.tables }
  private var failure: StoreFailure { connections.failure }

  init(_ connections: ConnectionStore) {
    self.connections = connections
    emails = EmailOwners(dynamoDB: connections.dynamoDB, tables: connections.tables)
  }

  // MARK: Adding

  package func add(_ user: User) async throws(StoreError) -> Bool {
    let address = EmailAddress(lookingUp: user.email)
    return try await failure.run("sign-up") { () async throws(AWSError) in
      // Users of the older backend have no lock yet.
      for text in Set([address.typed, address.folded]) where try await isTaken(text) { return false }
      if let added = try await insert(user, address.folded, insteadOf: nil) { return added }
      // A lock that outlived its user holds nobody off.
      guard let owner = try await emails.lock(address.folded) else {
        return try await insert(user, address.folded, insteadOf: nil) ?? false
      }
      guard owner != user.id, try await self.item(of: owner) == nil else { return false }
      return try await insert(user, address.folded, insteadOf: owner) ?? false
    }
  }

  private func isTaken(_ address: String) async throws(AWSError) -> Bool {
    // The index may still show one who was removed.
    for id in try await emails.ids(address) where try await item(of: id)?["Email"]?.string == address {
      return true
    }
    return false
  }

  /// Whether `user` was added; nil where the lock alone was in the way.
  private func insert(_ user: User, _ folded: String, insteadOf stale: UserID?) async throws(AWSError)
    -> Bool?
  {
    do throws(AWSError) {
      try await dynamoDB.transactWriteItems([
        .put(
          table: tables.users, UserItem.item(of: user),
          condition: "attribute_not_exists(\(name: "UserID"))"),
        emails.locking(folded, for: user.id, insteadOf: stale),
      ])
      return true
    } catch {
      guard let failure = error.failure, failure.isConditionalCheckFailed else { throw error }
      if failure.followsUnknownOutcome, try await item(of: user.id) == UserItem.item(of: user) { return true }
      return failure.cancellationReasons.first?.isConditionalCheckFailed ?? true ? false : nil
    }
  }

  // MARK: Finding

  package func user(withEmail email: EmailAddress) async throws(StoreError) -> User? {
    try await failure.run("finding a user by e-mail") { () async throws(AWSError) in
      let candidates = try await emails.candidates(for: email)
      if let user = try await first(of: candidates.typed, where: { $0.email == email.typed }) {
        if candidates.lock == nil { await lockAddress(of: user) }
        return user
      }
      let isMeant = { (user: User) in EmailAddress.fold(user.email) == email.folded }
      if let lock = candidates.lock, let user = try await first(of: [lock], where: isMeant) { return user }
      guard email.folded != email.typed else { return nil }
      let found = try await first(of: try await emails.ids(email.folded), where: isMeant)
      if let found, candidates.lock == nil { await lockAddress(of: found) }
      return found
    }
  }

  /// The user who was there first, of those that the index or a lock names. They are read anew: an index may be
  /// behind, with a password that was changed.
  private func first(of ids: [UserID], where isMeant: (User) -> Bool) async throws(AWSError) -> User? {
    guard !ids.isEmpty else { return nil }
    let keys = DynamoDB.Keys(table: tables.users, keys: Set(ids).map { ItemKey.user($0) })
    let items = try await dynamoDB.batchGetItems([keys])[tables.users] ?? []
    return items.compactMap(UserItem.user).filter(isMeant).min {
      ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue)
    }
  }

  /// A sign-in must not fail because the lock cannot be made: the next one makes it.
  private func lockAddress(of user: User) async {
    do throws(AWSError) { try await emails.lock(EmailAddress.fold(user.email), for: user.id) } catch {
      _ = failure.error(error, in: "locking an address")
    }
  }

  package func users(after last: UserID?, limit: Int) async throws(StoreError) -> UserPage {
    try await failure.run("listing users") { () async throws(AWSError) in
      var query = DynamoDBQuery(tables.users, keys: nil)
      query.isConsistent = true
      query.pageSize = limit
      let page = try await dynamoDB.page(of: query, from: last.map { ItemKey.user($0) })
      return UserPage(
        users: page.items.compactMap(UserItem.user), next: page.next?["UserID"]?.string.map { UserID($0) })
    }
  }

  package func user(_ id: UserID) async throws(StoreError) -> User? {
    try await connections.loadForSession(id).flatMap(UserItem.user)
  }

  package func profile(of id: UserID) async throws(StoreError) -> Profile? {
    try await connections.profile(of: id)
  }

  private func item(of id: UserID) async throws(AWSError) -> DynamoDBItem? {
    try await dynamoDB.getItem(tables.users, key: ItemKey.user(id))
  }

  // MARK: Changing

  package func setPassword(_ hash: Secret, of id: UserID, sessionsValidFrom: Timestamp)
    async throws(StoreError)
  {
    do throws(AWSError) {
      try await dynamoDB.updateItem(
        tables.users, key: ItemKey.user(id),
        .set([
          UserItem.password: .string(hash.expose()),
          UserItem.sessionsValidFrom: .timestamp(sessionsValidFrom),
        ]),
        condition: "attribute_exists(\(name: "UserID"))", isRepeatable: true)
    } catch {
      if error.failure?.isConditionalCheckFailed ?? false { throw .noSuchUser }
      throw failure.error(error, in: "setting a password")
    }
  }

  package func remove(_ id: UserID) async throws(StoreError) -> Bool {
    try await connections.removeUser(id) { (user) async throws(AWSError) in try await emails.unlocking(user) }
  }
}
