import Primitives

/// The data directory: the database and, in their default place, its keys. A key is made only together with a
/// new database, never over old data (DESIGN 3.2).
package struct DataDirectory: Sendable {
  let path: String

  /// A directory by its path.
  package init(_ path: String) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The database file.
  package var database: String { path + "/paypulse.sqlite" }
  /// The session key in its default place.
  package var jwtSecret: String { path + "/jwt-secret.key" }
  /// The wrapping key in its default place.
  package var wrappingKey: String { path + "/wrapping.key" }
  /// There while a new database is being made: what a crash left half done is then resumed.
  private var unfinished: String { path + "/unfinished" }
  private var lock: String { path + "/lock" }

  /// What `open` makes of the keys. Where there is no database yet, it and its keys are made if `mayCreate`.
  /// Only one process at a time is in here.
  package func open<Opened>(
    _ options: ServerOptions, environment: [String: String], random: RandomSource, mayCreate: Bool,
    _ open: (ServerKeys) async throws -> Opened
  ) async throws -> Opened {
    guard mayCreate || SystemFiles.exists(database) else {
      throw FileError("There is no database in \(path). Name the right folder with --data-dir.")
    }
    try SystemFiles.makeDirectory(path)
    let lock = try FileLock(lock)
    if isNew {
      try refuseOrphanedKeys()
      try SystemFiles.writeNew(unfinished, [])
      try makeMissingKeys(options, random: random)
    }
    let opened = try await open(try ServerKeys(options, in: self, environment: environment))
    try SystemFiles.remove(unfinished)
    lock.release()
    return opened
  }

  /// What would stop a start, found without making or changing anything; nil when nothing would.
  func problem(_ options: ServerOptions, environment: [String: String]) -> String? {
    do throws(FileError) {
      if !isNew {
        _ = try ServerKeys(options, in: self, environment: environment)
      } else {
        try refuseOrphanedKeys()
        try checkGivenKeys(options, environment: environment)
      }
      return nil
    } catch {
      return error.message
    }
  }

  /// Whether a database is there, finished.
  package var hasDatabase: Bool { !isNew }

  private var isNew: Bool { !SystemFiles.exists(database) || SystemFiles.exists(unfinished) }

  /// The keys that a new database would not bring with it have to be there already.
  private func checkGivenKeys(_ options: ServerOptions, environment: [String: String]) throws(FileError) {
    if options.jwtSecret != .dataDirectory {
      _ = try ServerKeys.jwtSecret(options, in: self, environment: environment)
    }
    if options.wrappingKey != .dataDirectory { _ = try ServerKeys.wrappingKeys(options, in: self) }
  }

  private func defaultKeys(_ options: ServerOptions) -> [String] {
    (options.jwtSecret == .dataDirectory ? [jwtSecret] : [])
      + (options.wrappingKey == .dataDirectory ? [wrappingKey] : [])
  }

  /// A key without its database means that the database is somewhere else, or lost.
  private func refuseOrphanedKeys() throws(FileError) {
    guard !SystemFiles.exists(unfinished) else { return }
    for key in [jwtSecret, wrappingKey] where SystemFiles.exists(key) {
      throw FileError(
        "\(key) is here, but its database \(database) is missing. Put the database back, or move the key away."
      )
    }
  }

  private func makeMissingKeys(_ options: ServerOptions, random: RandomSource) throws(FileError) {
    for key in defaultKeys(options) where !SystemFiles.exists(key) {
      try SystemFiles.writeNew(key, Array((Base64URL.encode(random.bytes(32)) + "\n").utf8))
    }
  }
}
