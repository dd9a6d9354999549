import Primitives
import TestSupport
import Testing

@testable import Domain

@Suite("MoveAccounts after a failure")
struct MoveResumingTests {
  private static let names = ["ada", "bob", "eve", "dan", "flo"]

  private func people(_ world: MovingWorld) async throws -> [UserID] {
    var ids: [UserID] = []
    for (number, name) in Self.names.enumerated() {
      ids.append(try await world.source.add(name))
      if number > 0 { try await world.source.connect(ids[number], account: "sub-\(number)") }
    }
    return ids
  }

  /// Tokens never stand without their record, nor another's for anyone.
  private func isWhole(_ user: UserID, _ world: MovingWorld) async throws -> Bool {
    let stored = try await world.destination.vault.read(user)
    return try await world.isEqual(user) || stored.isUntouched
  }

  @Test(
    "A destination that fails at any call leaves nothing half, and a repeated run goes on",
    arguments: [true, false])
  func destination(isDone: Bool) async throws {
    let counter = Breakage(after: .max)
    let whole = MovingWorld()
    _ = try await people(whole)
    try await whole.move(to: AccountPlace(whole.destination).breaking(counter))
    for last in 0..<counter.calls {
      let world = MovingWorld()
      let ids = try await people(world)
      let broken = AccountPlace(world.destination).breaking(Breakage(after: last, isDone: isDone))
      if let summary = try? await world.move(to: broken).summary {
        #expect(!summary.isComplete)
        #expect(summary.failed > 0)
      }
      for id in ids { #expect(try await isWhole(id, world)) }
      let summary = try await world.move().summary
      #expect(summary.isComplete && summary.accounts == ids.count)
      for id in ids { #expect(try await world.isEqual(id)) }
    }
  }

  @Test("A source that fails at any call is gone on with by a repeated run")
  func source() async throws {
    let counter = Breakage(after: .max)
    let whole = MovingWorld()
    _ = try await people(whole)
    try await whole.move(from: AccountPlace(whole.source).breaking(counter))
    for last in 0..<counter.calls {
      let world = MovingWorld()
      let ids = try await people(world)
      let broken = AccountPlace(world.source).breaking(Breakage(after: last))
      if let summary = try? await world.move(from: broken).summary { #expect(!summary.isComplete) }
      for id in ids { #expect(try await isWhole(id, world)) }
      #expect(try await world.move().summary.isComplete)
    }
  }

  @Test("A place that no longer answers ends the run, and does not fail every account one by one")
  func outOfReach() async throws {
    let world = MovingWorld()
    for number in 0..<90 { _ = try await world.source.add("user-\(number)") }
    let broken = AccountPlace(world.destination).breaking(Breakage(after: 20))
    let summary = try await world.move(to: broken).summary
    #expect(summary.stop == .failures && summary.failed >= 8 && summary.accounts < 60)
    #expect(try await world.move().summary.isComplete)
  }

  @Test("A run that is cancelled ends after the accounts in work, and says so")
  func cancelled() async throws {
    let world = MovingWorld()
    for number in 0..<90 { _ = try await world.source.add("user-\(number)") }
    let run = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await world.move().summary
    }
    let summary = try await run.value
    #expect(summary.stop == .cancelled && summary.accounts < 90 && !summary.isComplete)
    #expect(try await world.move().summary.isComplete)
  }

  @Test("Who is deleted while the others are moved is passed over")
  func deleted() async throws {
    let world = MovingWorld()
    let ids = try await people(world)
    let gone = AccountPlace(
      users: Forgetful(base: world.source.users, gone: ids[0]), vault: world.source.vault,
      revocations: world.source.revocations)
    let (summary, outcomes) = try await world.move(from: gone)
    #expect(summary.accounts == ids.count - 1 && outcomes[ids[0]] == nil && summary.isComplete)
  }

  /// Lists one whom it no longer finds.
  private struct Forgetful: UserStore {
    let base: any UserStore
    let gone: UserID

    func add(_ user: User) async throws(StoreError) -> Bool { try await base.add(user) }
    func user(withEmail email: EmailAddress) async throws(StoreError) -> User? {
      try await base.user(withEmail: email)
    }
    func user(_ id: UserID) async throws(StoreError) -> User? {
      id == gone ? nil : try await base.user(id)
    }
    func profile(of id: UserID) async throws(StoreError) -> Profile? { try await base.profile(of: id) }
    func users(after last: UserID?, limit: Int) async throws(StoreError) -> UserPage {
      try await base.users(after: last, limit: limit)
    }
    func setPassword(_ hash: Secret, of id: UserID, sessionsValidFrom: Timestamp) async throws(StoreError) {
      try await base.setPassword(hash, of: id, sessionsValidFrom: sessionsValidFrom)
    }
    func remove(_ id: UserID) async throws(StoreError) -> Bool { try await base.remove(id) }
  }
}
