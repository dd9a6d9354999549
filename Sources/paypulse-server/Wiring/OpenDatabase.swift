import Cryptography
import Primitives
import SQLite

/// Opens the database with the keys that it was made with, and with no others.
package struct OpenDatabase {
  private let path: String
  private let log: Log

  /// Opens the file at `path`, made where there is none; what fails in it is told to `log`.
  package init(path: String, log: Log) {
    self.path = path
    self.log = log
  }

  /// The open database; a ``FileError`` says why there is none.
  package func callAsFunction(keys: ServerKeys) async throws -> SQLiteDatabase {
    let sealer = Sealer(keys: keys.wrappingKeys, reload: keys.rereadWrappingKeys)
    let database: SQLiteDatabase
    do throws(SQLiteOpenError) {
      database = try SQLiteDatabase(path: path, sealer: sealer, random: .system, time: .system, log: log)
    } catch {
      throw FileError("Cannot open the database \(path): \(error).")
    }
    do {
      try await check(keys, against: database)
    } catch {
      await database.close()
      throw error
    }
    return database
  }

  /// The wrong key would lock everyone out, or end every session: better not to start.
  private func check(_ keys: ServerKeys, against database: SQLiteDatabase) async throws {
    let recorded = try await database.fingerprint(
      named: "wrapping key", orRecord: keys.wrappingKeys.current.id.bytes)
    guard keys.wrappingKeys[WrappingKeyID(bytes: recorded)] != nil else {
      throw FileError("The wrapping key is not the one that \(path) was made with. Give the right one.")
    }
    let session = Array(
      HMACSHA256(key: Array(keys.jwtSecret.expose().utf8)).authenticate(Array("paypulse key check".utf8))
        .prefix(8))
    guard try await database.fingerprint(named: "session key", orRecord: session) == session else {
      throw FileError("The session key is not the one that \(path) was made with. Give the right one.")
    }
  }
}
