import Domain
import Primitives

/// Connections in memory.
package struct InMemoryTokenVault: TokenVault {
  private let store: InMemoryStore

  /// The connections of `store`.
  package init(_ store: InMemoryStore) { self.store = store }

  package func read(_ user: UserID) async throws(StoreError) -> VaultSnapshot {
    try store.transaction { (state) throws(StoreError) in state.snapshot(of: user, account: nil) }
  }

  package func update<Result: Sendable>(
    _ user: UserID, account: GoogleSubject?,
    _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
  ) async throws(StoreError) -> Result {
    let now = store.time.now()
    return try store.transaction { (state) throws(StoreError) in
      guard state.users[user] != nil else { throw .noSuchUser }
      let (change, result) = decide(state.snapshot(of: user, account: account))
      state.apply(change, to: user, at: now)
      return result
    }
  }

  package func acquireLease(on user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
    async throws(StoreError) -> LeaseAttempt
  {
    try store.transaction { (state) throws(StoreError) in
      guard state.users[user] != nil else { throw .noSuchUser }
      let newest = state.leases[user]
      if let newest, newest.isLive(at: now) { return .held }
      let lease = RefreshLease(owner: owner, fence: (newest?.fence ?? 0) + 1, expiresAt: expiry)
      state.leases[user] = lease
      return .acquired(lease)
    }
  }

  package func release(_ lease: RefreshLease, on user: UserID) async throws(StoreError) {
    try store.transaction { (state) throws(StoreError) in
      guard let newest = state.leases[user], newest.owner == lease.owner, newest.fence == lease.fence else {
        return
      }
      state.leases[user] = RefreshLease(
        owner: lease.owner, fence: lease.fence, expiresAt: Timestamp(microseconds: 0))
    }
  }

  package func dueForUse(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try store.transaction { (state) throws(StoreError) in
      let due = state.connections.compactMap { user, record in record.nextUseAt.map { (user, $0) } }
      let misdated = due.filter { $0.1 > now + SweepGrants.furthestUse }
      return Array((due.filter { $0.1 <= now }.sorted { $0.1 < $1.1 } + misdated).map(\.0).prefix(limit))
    }
  }

  package func spent(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] {
    try store.transaction { (state) throws(StoreError) in
      let spent = state.connections.filter {
        $0.value.recordedStatus == .limited && $0.value.accessExpiresAt <= now
      }
      return Array(
        spent.sorted { $0.value.accessExpiresAt < $1.value.accessExpiresAt }.map(\.key).prefix(limit))
    }
  }

  package func setAside(since: Timestamp) async throws(StoreError) -> [UserID] {
    try store.transaction { (state) throws(StoreError) in
      Array(Set(state.asides.filter { $0.since >= since && $0.reason == .invalidGrant }.map(\.user)))
    }
  }

  package func discardAsides(before: Timestamp) async throws(StoreError) {
    try store.transaction { (state) throws(StoreError) in
      state.asides.removeAll { $0.since < before && $0.tokens != nil }
    }
  }

  package func connections() async throws(StoreError) -> [Profile] {
    try store.transaction { (state) throws(StoreError) in
      let users = state.users.values.sorted {
        EmailAddress.fold($0.email) < EmailAddress.fold($1.email)
      }
      return users.map { Profile(user: $0, connection: state.connections[$0.id]) }
    }
  }
}

extension InMemoryStore.State {
  fileprivate func snapshot(of user: UserID, account: GoogleSubject?) -> VaultSnapshot {
    let secret = secrets[user]?.secret ?? .none
    return VaultSnapshot(
      connection: connections[user], secret: secret, lease: leases[user],
      aside: secrets[user] == nil ? aside(of: user)?.summary : nil,
      revocation: account.flatMap { marks[$0]?.mark })
  }

  private func aside(of user: UserID) -> InMemoryStore.Aside? {
    asides.last { $0.user == user && $0.tokens != nil }
  }

  fileprivate mutating func apply(_ change: VaultChange, to user: UserID, at now: Timestamp) {
    if let owed = change.asideRevocation, secrets[user] == nil, let tokens = aside(of: user)?.tokens,
      let order = tokens.revocationOrder(id: owed.id, now: owed.queuedAt, baseURL: owed.googleBaseURL)
    {
      queue(order)
    }
    if change.discardsAsides { asides.removeAll { $0.user == user } }
    apply(change.secret, discarding: change.discardsAsides, to: user, at: now)
    switch change.connection {
    case .keep: break
    case .put(let record): connections[user] = record
    case .forget: connections[user] = nil
    }
    if let order = change.revocation { queue(order) }
  }

  private mutating func queue(_ order: RevocationOrder) {
    orders[order.id] = InMemoryStore.QueuedOrder(order: order, nextAttemptAt: order.queuedAt)
  }

  private mutating func apply(
    _ change: VaultChange.SecretChange, discarding: Bool, to user: UserID, at now: Timestamp
  ) {
    switch change {
    case .keep: break
    case .put(let tokens):
      rescueUnusable(of: user, at: now)
      put(tokens, of: user)
    case .remove:
      if !discarding { rescueUnusable(of: user, at: now) }
      secrets[user] = nil
    case .setAside(let moment, let reason):
      if case .tokens(var tokens, let grantID) = secrets[user]?.secret {
        tokens.grantID = grantID
        asides.append(InMemoryStore.Aside(user: user, tokens: tokens, since: moment, reason: reason))
      }
      rescueUnusable(of: user, at: moment)
      secrets[user] = nil
    case .restoreAside:
      if secrets[user] == nil, let tokens = aside(of: user)?.tokens { put(tokens, of: user) }
    }
  }

  private mutating func put(_ tokens: OAuthTokens, of user: UserID) {
    asides.removeAll { $0.user == user && $0.tokens != nil }
    secrets[user] = InMemoryStore.StoredValue(
      content: .tokens(tokens), subject: tokens.account.subject, version: "version-\(nextVersion)")
    nextVersion += 1
  }

  /// A value that does not open is kept aside, whatever takes its place.
  private mutating func rescueUnusable(of user: UserID, at moment: Timestamp) {
    guard case .unusable = secrets[user]?.content else { return }
    asides.append(InMemoryStore.Aside(user: user, tokens: nil, since: moment, reason: .unreadable))
  }
}
