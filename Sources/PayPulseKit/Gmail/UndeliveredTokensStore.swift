import HTTP
import Primitives

/// Where the device keeps tokens that the server does not have yet: one record for each user and server.
public protocol UndeliveredTokensStore: Sendable {
  /// The record of `owner`; nil when there is none, or none that can be read.
  func load(_ owner: UndeliveredTokens.Owner) async throws(StorageError) -> UndeliveredTokens?
  /// Keeps `tokens` in place of the owner's other record; when this returns, a crash does not lose it.
  func save(_ tokens: UndeliveredTokens) async throws(StorageError)
  /// Erases the record of `owner`; fine when there is none.
  func remove(_ owner: UndeliveredTokens.Owner) async throws(StorageError)
  /// Erases every record, whoever it belongs to; fine when there is none.
  func removeAll() async throws(StorageError)
}

/// Undelivered tokens in files that only their owner can read: `DIRECTORY/<server>/<user>.json`.
public struct FileUndeliveredTokensStore: UndeliveredTokensStore {
  private let directory: String

  /// The records under `directory`, which is made when needed.
  public init(directory: String) { self.directory = directory }

  /// The record of `owner`.
  public func load(_ owner: UndeliveredTokens.Owner) async throws(StorageError) -> UndeliveredTokens? {
    guard let bytes = try await file(of: owner).read() else { return nil }
    return JSONCoding.decode(JSONValue.self, from: bytes).flatMap { UndeliveredTokens(stored: $0, of: owner) }
  }

  /// Replaces the owner's record in one step.
  public func save(_ tokens: UndeliveredTokens) async throws(StorageError) {
    try await file(of: tokens.owner).write(tokens.stored.serialized)
  }

  /// Removes the owner's record.
  public func remove(_ owner: UndeliveredTokens.Owner) async throws(StorageError) {
    try await file(of: owner).remove()
  }

  /// Removes every record, whoever it belongs to: for a person who signed out before they asked to be forgotten.
  public func removeAll() async throws(StorageError) {
    for server in FileIO.names(in: directory) {
      for record in FileIO.names(in: "\(directory)/\(server)") {
        try await PrivateFile(path: "\(directory)/\(server)/\(record)").remove()
      }
    }
  }

  /// Percent-encoding leaves no slash in either name, and the ending none that is only dots.
  private func file(of owner: UndeliveredTokens.Owner) -> PrivateFile {
    let server = PercentCoding.encode(owner.server.description)
    return PrivateFile(path: "\(directory)/\(server)/\(PercentCoding.encode(owner.userID.rawValue)).json")
  }
}

#if canImport(Security)
  /// Undelivered tokens in the device's Keychain.
  public struct KeychainUndeliveredTokensStore: UndeliveredTokensStore {
    private let service: String

    /// The records under `service`.
    public init(service: String = "io.paypulse.undelivered-tokens") { self.service = service }

    /// The record of `owner`.
    public func load(_ owner: UndeliveredTokens.Owner) async throws(StorageError) -> UndeliveredTokens? {
      guard let bytes = try await item(of: owner).read() else { return nil }
      return JSONCoding.decode(JSONValue.self, from: bytes).flatMap {
        UndeliveredTokens(stored: $0, of: owner)
      }
    }

    /// Replaces the owner's record.
    public func save(_ tokens: UndeliveredTokens) async throws(StorageError) {
      try await item(of: tokens.owner).write(tokens.stored.serialized)
    }

    /// Removes the owner's record.
    public func remove(_ owner: UndeliveredTokens.Owner) async throws(StorageError) {
      try await item(of: owner).remove()
    }

    /// Removes every record under the service.
    public func removeAll() async throws(StorageError) {
      try await KeychainItem(service: service, account: nil).remove()
    }

    private func item(of owner: UndeliveredTokens.Owner) -> KeychainItem {
      KeychainItem(service: service, account: owner.server.description + " " + owner.userID.rawValue)
    }
  }
#endif
