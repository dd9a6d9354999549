import Primitives
import Synchronization
import TestSupport

@testable import Domain

/// Two places, and a way to move between them.
struct MovingWorld {
  let clock = TestClock(at: StoreFixture.noon)
  let source: StoreFixture
  let destination: StoreFixture
  let stores: (source: InMemoryStore, destination: InMemoryStore)

  init() {
    stores = (InMemoryStore(time: clock.source), InMemoryStore(time: clock.source))
    source = StoreFixture(stores.source)
    destination = StoreFixture(stores.destination)
  }

  /// Moves; gives the summary and what was said of each account.
  @discardableResult
  func move(
    _ mode: MoveMode = MoveMode(), from: AccountPlace? = nil, to: AccountPlace? = nil, isNew: Bool = false
  ) async throws -> (summary: MoveSummary, outcomes: [UserID: MoveOutcome]) {
    let move = MoveAccounts(
      from: from ?? AccountPlace(source), to: isNew ? nil : to ?? AccountPlace(destination), mode: mode,
      digest: Self.digest, time: clock.source)
    var outcomes: [UserID: MoveOutcome] = [:]
    let summary = try await move { outcomes[$0.id] = $0.outcome }
    return (summary, outcomes)
  }

  /// Something that differs for all that a test makes, 32 bytes long.
  static let digest: @Sendable ([UInt8]) -> [UInt8] = { bytes in
    var lanes: [UInt64] = [1, 2, 3, 4]
    for (index, byte) in bytes.enumerated() {
      lanes[index % 4] = (lanes[index % 4] ^ UInt64(byte)) &* 0x100_0000_01b3 &+ UInt64(index)
    }
    return lanes.flatMap { lane in (0..<8).map { UInt8(truncatingIfNeeded: lane >> ($0 * 8)) } }
  }

  /// What is kept of `user`, as far as it is moved.
  func account(_ user: UserID, at place: StoreFixture) async throws -> MovableAccount? {
    guard let found = try await place.users.user(user) else { return nil }
    return MovableAccount(found, try await place.vault.read(user))
  }

  /// Whether `user` is the same at both places.
  func isEqual(_ user: UserID) async throws -> Bool {
    let (here, there) = (try await account(user, at: source), try await account(user, at: destination))
    return here != nil && here?.canonicalForm == there?.canonicalForm
  }
}

extension AccountPlace {
  init(_ fixture: StoreFixture) {
    self.init(users: fixture.users, vault: fixture.vault, revocations: fixture.revocations)
  }

  /// This place, which fails at one of the calls that `breakage` counts.
  func breaking(_ breakage: Breakage) -> AccountPlace {
    AccountPlace(
      users: BreakingUsers(base: users, breakage: breakage),
      vault: BreakingVault(base: vault, breakage: breakage), revocations: revocations)
  }
}

/// Counts calls, and says at which of them a store gives no answer.
final class Breakage: Sendable {
  private struct State {
    var calls = 0
    var writes = 0
  }
  private let state = Mutex(State())
  private let last: Int
  private let isDone: Bool

  /// From the call after `last` on nothing answers; `isDone` says whether that call is carried out all the same.
  init(after last: Int, isDone: Bool = false) {
    self.last = last
    self.isDone = isDone
  }

  var calls: Int { state.withLock { $0.calls } }
  var writes: Int { state.withLock { $0.writes } }

  func pass<Result>(isWrite: Bool = false, _ call: () async throws(StoreError) -> Result)
    async throws(StoreError) -> Result
  {
    let number = state.withLock { state in
      state.calls += 1
      if isWrite { state.writes += 1 }
      return state.calls
    }
    if number <= last { return try await call() }
    if isDone, number == last + 1 { _ = try await call() }
    throw .unavailable
  }
}

private struct BreakingUsers: UserStore {
  let base: any UserStore
  let breakage: Breakage

  func add(_ user: User) async throws(StoreError) -> Bool {
    try await breakage.pass(isWrite: true) { () async throws(StoreError) in try await base.add(user) }
  }
  func user(withEmail email: EmailAddress) async throws(StoreError) -> User? {
    // On AWS a lookup may lock an address.
    try await breakage.pass(isWrite: true) { () async throws(StoreError) in
      try await base.user(withEmail: email)
    }
  }
  func user(_ id: UserID) async throws(StoreError) -> User? {
    try await breakage.pass { () async throws(StoreError) in try await base.user(id) }
  }
  func profile(of id: UserID) async throws(StoreError) -> Profile? {
    try await breakage.pass { () async throws(StoreError) in try await base.profile(of: id) }
  }
  func users(after last: UserID?, limit: Int) async throws(StoreError) -> UserPage {
    try await breakage.pass { () async throws(StoreError) in try await base.users(after: last, limit: limit) }
  }
  func setPassword(_ hash: Secret, of id: UserID, sessionsValidFrom: Timestamp) async throws(StoreError) {
    try await breakage.pass(isWrite: true) { () async throws(StoreError) in
      try await base.setPassword(hash, of: id, sessionsValidFrom: sessionsValidFrom)
    }
  }
  func remove(_ id: UserID) async throws(StoreError) -> Bool {
    try await breakage.pass(isWrite: true) { () async throws(StoreError) in try await base.remove(id) }
  }
}

private struct BreakingVault: TokenVault {
  let base: any TokenVault
  let breakage: Breakage

  func read(_ user: UserID) async throws(StoreError) -> VaultSnapshot {
    try await breakage.pass { () async throws(StoreError) in try await base.read(user) }
  }
  func update<Result: Sendable>(
    _ user: UserID, account: GoogleSubject?,
    _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Result)
  ) async throws(StoreError) -> Result {
    try await breakage.pass(isWrite: true) { () async throws(StoreError) in
      try await base.update(user, account: account, decide)
    }
  }
  func acquireLease(on user: UserID, owner: String, now: Timestamp, until expiry: Timestamp)
    async throws(StoreError) -> LeaseAttempt
  {
    try await breakage.pass(isWrite: true) { () async throws(StoreError) in
      try await base.acquireLease(on: user, owner: owner, now: now, until: expiry)
    }
  }
  func release(_ lease: RefreshLease, on user: UserID) async throws(StoreError) {
    try await breakage.pass(isWrite: true) { () async throws(StoreError) in
      try await base.release(lease, on: user)
    }
  }
  func dueForUse(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] { throw .unavailable }
  func spent(at now: Timestamp, limit: Int) async throws(StoreError) -> [UserID] { throw .unavailable }
  func setAside(since: Timestamp) async throws(StoreError) -> [UserID] { throw .unavailable }
  func discardAsides(before: Timestamp) async throws(StoreError) { throw .unavailable }
  /// All at once are never asked for.
  func connections() async throws(StoreError) -> [Profile] { throw .unavailable }
}
