import Domain
import FoundationEssentials
import Glibc
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import SQLite

@Suite struct GroupCommitTests {
  private let files: TemporaryDatabase
  private let database: SQLiteDatabase

  init() throws {
    files = try TemporaryDatabase()
    database = try files.open()
  }

  @Test("Writers that come while another writes share its transaction")
  func sharing() async throws {
    try await queueBehindAWrite(10) { index in
      try await database.write { try $0.note("row \(index)") }
    }
    #expect(database.statistics.transactions.load(ordering: .relaxed) == 1)
    #expect(database.statistics.writes.load(ordering: .relaxed) == 11)
    #expect(try await rowCount() == 10)
  }

  @Test("A writer that fails undoes its own changes and no other's")
  func failingAlone() async throws {
    let failures = Counter()
    try await queueBehindAWrite(10) { index in
      do throws(StoreError) {
        try await database.write { connection in
          try connection.note("row \(index)")
          if index.isMultiple(of: 2) { throw StoreError.noSuchUser }
        }
      } catch {
        #expect(error == .noSuchUser)
        failures.add()
      }
    }
    #expect(database.statistics.transactions.load(ordering: .relaxed) == 1)
    #expect(failures.count == 5)
    #expect(try await rowCount() == 5)
  }

  @Test("A writer that fails before it has changed anything costs the others nothing")
  func failingEarly() async throws {
    let attempts = Counter()
    try await queueBehindAWrite(10) { index in
      do throws(StoreError) {
        try await database.write { connection in
          attempts.add()
          if index.isMultiple(of: 2) { throw StoreError.noSuchUser }
          try connection.note("row \(index)")
        }
      } catch {
        #expect(error == .noSuchUser && index.isMultiple(of: 2))
      }
    }
    #expect(attempts.count == 10)
    #expect(try await rowCount() == 5)
  }

  @Test("When the transaction itself is lost, every writer in it is told, and nothing is kept")
  func losingAll() async throws {
    let failures = Counter()
    try await queueBehindAWrite(10) { index in
      do throws(StoreError) {
        try await database.write { connection in
          try connection.note("row \(index)")
          // What SQLite itself does when the disk is full.
          if index == 7 { try connection.run("ROLLBACK") }
        }
      } catch {
        #expect(error == .unavailable)
        failures.add()
      }
    }
    #expect(failures.count == 10)
    #expect(try await rowCount() == 0)
    try await database.write { try $0.note("afterwards") }
    #expect(try await rowCount() == 1)
  }

  @Test("A closed database answers everything that was asked before, and nothing after")
  func closing() async throws {
    try await database.write { try $0.note("row") }
    await database.close()
    await #expect(throws: StoreError.unavailable) { try await database.write { try $0.note("late") } }
    await #expect(throws: StoreError.unavailable) { try await rowCount() }
    let log = try? FileManager.default.attributesOfItem(atPath: files.path + "-wal")
    #expect(log == nil)
    let connection = try files.raw()
    #expect(try connection.first("SELECT count(*) FROM meta") { $0.integer(0) } == 1)
  }

  /// Starts `count` writers while one holds the writing thread, and lets them go when all wait.
  private func queueBehindAWrite(_ count: Int, _ writer: @escaping @Sendable (Int) async throws -> Void)
    async throws
  {
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      // Itself a part of the transaction, it may be lost with it.
      group.addTask { try? await database.write { _ in gate.pass() } }
      while !gate.isReached { await Task.yield() }
      for index in 0..<count { group.addTask { try await writer(index) } }
      while database.writes.count < count { await Task.yield() }
      gate.open()
      try await group.waitForAll()
    }
  }

  private func rowCount() async throws -> Int64? {
    try database.read { try $0.connection.first("SELECT count(*) FROM meta") { $0.integer(0) } }
  }
}

extension SQLiteConnection {
  fileprivate func note(_ name: String) throws {
    try run("INSERT INTO meta (name, value) VALUES (?, x'00')", .text(name))
  }
}

/// Holds a thread until it is opened.
private final class Gate: Sendable {
  private let reached = Atomic<Bool>(false)
  private let opened = Atomic<Bool>(false)

  var isReached: Bool { reached.load(ordering: .acquiring) }
  func open() { opened.store(true, ordering: .releasing) }
  func pass() {
    reached.store(true, ordering: .releasing)
    while !opened.load(ordering: .acquiring) { sched_yield() }
  }
}

/// Counts from several threads.
final class Counter: Sendable {
  private let value = Atomic<Int>(0)
  var count: Int { value.load(ordering: .relaxed) }
  func add() { value.add(1, ordering: .relaxed) }
}
