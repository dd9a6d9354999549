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

  /// The keys, made first where the database is new; then what `open` makes of them and the database's path.
  /// Only one process at a time is in here.
  package func open<Opened>(
    _ options: ServerOptions, environment: [String: String], random: RandomSource,
    _ open: (ServerKeys) throws -> Opened
  ) throws -> Opened {
    try SystemFiles.makeDirectory(path)
    let lock = try FileLock(lock)
    defer { _ = consume lock }
    let isNew = !SystemFiles.exists(database) || SystemFiles.exists(unfinished)
    if isNew {
      try refuseOrphanedKeys(options)
      try SystemFiles.writeNew(unfinished, [])
      try makeMissingKeys(options, random: random)
    }
    let opened = try open(try ServerKeys(options, in: self, environment: environment))
    if isNew { try SystemFiles.remove(unfinished) }
    return opened
  }

  private func defaultKeys(_ options: ServerOptions) -> [String] {
    (options.jwtSecret == .dataDirectory ? [jwtSecret] : [])
      + (options.wrappingKey == .dataDirectory ? [wrappingKey] : [])
  }

  /// A key without its database means that the database is somewhere else, or lost.
  private func refuseOrphanedKeys(_ options: ServerOptions) throws(FileError) {
    guard !SystemFiles.exists(unfinished) else { return }
    for key in [jwtSecret, wrappingKey] where SystemFiles.exists(key) {
      throw FileError(
        "\(key) is here, but its database \(database) is missing. Put the database back, or move the key away.")
    }
  }

  private func makeMissingKeys(_ options: ServerOptions, random: RandomSource) throws(FileError) {
    for key in defaultKeys(options) where !SystemFiles.exists(key) {
      try SystemFiles.writeNew(key, Array((Base64URL.encode(random.bytes(32)) + "\n").utf8))
    }
  }
}
