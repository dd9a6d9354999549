import Cryptography
import Domain
import FoundationEssentials
import Primitives
import TestSupport
import Testing

@testable import SQLite

/// A directory with a database in it, removed when nobody needs it any more.
final class TemporaryDatabase: Sendable {
  let directory: String
  let key: WrappingKey
  let clock = TestClock(at: StoreFixture.noon)

  init() throws {
    directory = FileManager.default.temporaryDirectory.path + "/paypulse-" + RandomSource.system.token128()
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    key = try #require(WrappingKey(RandomSource.system.bytes(32)))
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  var path: String { directory + "/paypulse.db" }

  /// Opens the database, as one more process would.
  func open(
    keys: KeyRing? = nil, at path: String? = nil, busyTimeout: Duration = .seconds(5)
  ) throws -> SQLiteDatabase {
    try SQLiteDatabase(
      path: path ?? self.path, sealer: Sealer(keys: keys ?? KeyRing(key)), random: .system,
      time: clock.source,
      busyTimeout: busyTimeout)
  }

  /// A connection past all the stores, for looking and tampering.
  func raw(busyTimeout: Duration = .seconds(5)) throws -> SQLiteConnection {
    try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
  }

  /// What is stored as the secret of `user`.
  func secret(of user: UserID) throws -> [UInt8] {
    try #require(
      try raw().first("SELECT sealed FROM secrets WHERE user_id = ?", SQLiteValue(user)) { $0.blob(0) })
  }

  /// Puts `value` in the place of the secret of `user`, past the stores.
  func replaceSecret(of user: UserID, by value: [UInt8]) throws {
    let changed = try raw().run(
      "UPDATE secrets SET sealed = ? WHERE user_id = ?", .blob(value), SQLiteValue(user))
    #expect(changed == 1)
  }
}

extension StoreFixture {
  /// The adapters over `database`.
  init(_ database: SQLiteDatabase) {
    self.init(
      users: SQLiteUserStore(database), vault: SQLiteTokenVault(database),
      revocations: SQLiteRevocationQueue(database), ledger: SQLiteRefreshLedger(database),
      corruptSecret: { try await database.corruptSecret(of: $0) })
  }
}

extension SQLiteDatabase {
  /// Flips a bit of the stored secret of `user`, in a way that no reader has seen before.
  func corruptSecret(of user: UserID) async throws {
    try await write { connection in
      let value = try connection.first("SELECT sealed FROM secrets WHERE user_id = ?", SQLiteValue(user)) {
        $0.blob(0)
      }
      guard var value else { return }
      value[value.count - 1] ^= 1
      try connection.run("UPDATE secrets SET sealed = ? WHERE user_id = ?", .blob(value), SQLiteValue(user))
      try connection.run(
        "UPDATE connections SET revision = revision + 1 WHERE user_id = ?", SQLiteValue(user))
    }
  }
}
