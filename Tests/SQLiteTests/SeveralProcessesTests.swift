import Domain
import Primitives
import TestSupport
import Testing

@testable import SQLite

/// Two databases on one file stand for two processes: they share nothing else.
@Suite struct SeveralProcessesTests {
  private let files: TemporaryDatabase
  private let one: SQLiteDatabase
  private let other: SQLiteDatabase

  init() throws {
    files = try TemporaryDatabase()
    one = try files.open()
    other = try files.open()
  }

  @Test("Of two processes that race for a lease one gets it, and each fencing number is given out once")
  func leases() async throws {
    let (noon, id) = (StoreFixture.noon, try await StoreFixture(one).add("ada"))
    var fences: [Int64] = []
    for round in 0..<30 {
      let now = noon + .seconds(100 * round)
      async let first = StoreFixture(one).lease(id, "one", now: now, until: now + .seconds(60))
      async let second = StoreFixture(other).lease(id, "other", now: now, until: now + .seconds(60))
      let won = [try await first, try await second].compactMap(\.self)
      #expect(won.count == 1)
      fences += won.map(\.fence)
    }
    #expect(fences == Array(1...30))
  }

  @Test("Updates by two processes at once add up")
  func counters() async throws {
    let id = try await StoreFixture(one).add("ada")
    try await StoreFixture(one).connect(id)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        let vault = SQLiteTokenVault(index.isMultiple(of: 2) ? one : other)
        group.addTask {
          try await vault.update(id) { stored in
            (VaultChange(secret: .put(.sample(fence: (stored.secret.tokens?.fence ?? -999) + 1))), ())
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await SQLiteTokenVault(one).read(id).secret.tokens?.fence == 100)
    #expect(try await SQLiteTokenVault(other).read(id).secret.tokens?.fence == 100)
  }

  @Test("A process sees at once what another changed, though it read the connection before")
  func seeingOthers() async throws {
    let (mine, theirs) = (StoreFixture(one), StoreFixture(other))
    let id = try await mine.add("ada")
    try await mine.connect(id)
    for access in ["ya29.1", "ya29.2"] {
      _ = try await mine.vault.read(id)
      try await theirs.connect(id, tokens: .sample(access: access))
      #expect(try await mine.vault.read(id).secret.tokens == .sample(access: access))
    }
    try await theirs.change(id, VaultChange(secret: .remove, connection: .forget))
    #expect(try await mine.vault.read(id).secret.isNone)
    #expect(try await mine.users.profile(of: id)?.connection == nil)
    #expect(try await theirs.users.remove(id))
    #expect(try await mine.users.user(id) == nil)
  }

  @Test("While another process keeps the lock, writing fails as unavailable, and reading goes on")
  func busy() async throws {
    let impatient = StoreFixture(try files.open(busyTimeout: .milliseconds(20)))
    let id = try await impatient.add("ada")
    let blocker = try files.raw()
    try blocker.beginImmediate()
    await #expect(throws: StoreError.unavailable) { try await impatient.connect(id) }
    #expect(try await impatient.users.user(id) != nil)
    blocker.rollBack()
    try await impatient.connect(id)
    #expect(try await impatient.vault.read(id).secret.tokens == .sample())
  }

  @Test("Processes that make a new database at once all open it")
  func openingTogether() async throws {
    let fresh = try TemporaryDatabase()
    let databases = try await withThrowingTaskGroup(of: SQLiteDatabase.self) { group in
      for _ in 0..<8 { group.addTask { try fresh.open() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (index, database) in databases.enumerated() {
      _ = try await StoreFixture(database).add("user-\(index)")
    }
    #expect(try await SQLiteTokenVault(databases[0]).connections().count == 8)
  }
}
