import Primitives

/// What is done for connections without anyone asking: every grant is used once a day, ended connections
/// and old values set aside go, and revocations owed are paid.
package struct SweepGrants: Sendable {
  /// How often it looks.
  package static let interval: Duration = .seconds(30)
  /// For how long a dead secret is kept aside.
  package static let asideLifetime: Duration = .seconds(7 * 24 * 3600)
  /// No use is put off further than this.
  package static let furthestUse: Duration = .seconds(24 * 3600)
  /// How long after a use that failed for the moment the grant is tried again.
  private static let retry: Duration = .seconds(15 * 60)
  private static let batch = 50
  private static let width = 4

  let vault: any TokenVault
  let tokens: TokenSource
  let revoker: RevokeGrants
  private let ledger: any RefreshLedger
  let time: TimeSource
  let log: Log

  /// Sweeps `vault`.
  package init(
    vault: any TokenVault, tokens: TokenSource, revoker: RevokeGrants, ledger: any RefreshLedger,
    time: TimeSource, log: Log
  ) {
    self.vault = vault
    self.tokens = tokens
    self.revoker = revoker
    self.ledger = ledger
    self.time = time
    self.log = log
  }

  /// When the grant of `user` is to be used after a use at `moment`: 20 to 23.5 hours later, at a time of
  /// day that is the user's own, so that all grants are not used at once.
  package static func nextUse(of user: UserID, after moment: Timestamp) -> Timestamp {
    // FNV-1a: any spread will do, as long as it is the same in every process.
    let hash = user.rawValue.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return moment + .seconds(20 * 3600) + .seconds(Int64(hash % (210 * 60)))
  }

  /// Sweeps until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      await once()
      try? await time.sleep(Self.interval)
    }
  }

  /// One round.
  package func once() async {
    for chore in Chore.allCases {
      await attempt { () async throws(StoreError) in try await perform(chore) }
    }
    await attempt { () async throws(StoreError) in try await useDueGrants() }
    await attempt { () async throws(StoreError) in try await probeThroughBrake() }
  }

  /// What a round does besides using grants.
  enum Chore: CaseIterable {
    case payRevocations, endSpentConnections, discardAsides
  }

  func perform(_ chore: Chore) async throws(StoreError) {
    switch chore {
    case .payRevocations: try await revoker.attemptDue()
    case .endSpentConnections: try await endSpentConnections()
    case .discardAsides: try await vault.discardAsides(before: time.now() - Self.asideLifetime)
    }
  }

  private func attempt(_ work: () async throws(StoreError) -> Void) async {
    do throws(StoreError) { try await work() } catch { log.error("sweep_failed") }
  }

  private func endSpentConnections() async throws(StoreError) {
    let now = time.now()
    try await forEach(try await vault.spent(at: now, limit: Self.batch)) { user throws(StoreError) in
      try await vault.update(user) { stored in
        guard var record = stored.connection, record.recordedStatus == .limited, !record.isConnected(at: now)
        else {
          return (.none, ())
        }
        record.recordedStatus = .needsReconnect
        record.reason = .accessExpired
        record.lastUpload = nil
        return (VaultChange(secret: .remove, connection: .put(record)), ())
      }
    }
  }

  private func useDueGrants() async throws(StoreError) {
    let users = try await vault.dueForUse(at: time.now(), limit: Self.batch)
    await withTaskGroup(of: Void.self) { group in
      for (index, user) in users.enumerated() {
        if index >= Self.width { await group.next() }
        group.addTask { await use(user) }
      }
    }
  }

  private func use(_ user: UserID) async {
    // A process that ends sends no more flights off.
    guard !Task.isCancelled else { return }
    do throws(TokenRefusal) { try await tokens.useGrant(of: user) } catch {
      guard let delay = Self.delay(after: error) else { return }
      await attempt { () async throws(StoreError) in try await putOff(user, by: delay) }
    }
  }

  /// How long after a use that ended so the next one is: a policy is asked about again the next day; what is wrong
  /// for the moment, soon. Nil when there is no grant to use any more.
  static func delay(after refusal: TokenRefusal) -> Duration? {
    switch refusal {
    case .temporarilyUnavailable, .operatorFault, .store: retry
    case .blocked: .seconds(22 * 3600)
    case .notConnected, .needsReconnect: nil
    }
  }

  func putOff(_ user: UserID, by delay: Duration) async throws(StoreError) {
    let now = time.now()
    try await vault.update(user) { stored in
      guard var record = stored.connection, record.nextUseAt != nil else { return (.none, ()) }
      record.nextUseAt = now + delay
      return (VaultChange(connection: .put(record)), ())
    }
  }

  /// While deaths are doubted, one grant that the wave set aside is tried a round: its success ends the doubt.
  private func probeThroughBrake() async throws(StoreError) {
    if let user = try await doubtedGrant() { await use(user) }
  }

  /// One of those that the wave set aside, while there is one.
  func doubtedGrant() async throws(StoreError) -> UserID? {
    guard let since = try await ledger.brakeSince() else { return nil }
    return try await vault.setAside(since: since - BelieveDeath.window).randomElement()
  }
}
