import Primitives

/// A session in a file that only its owner can read (0600, in a directory of 0700).
public struct FileSessionStore: SessionStore {
  private let file: PrivateFile

  /// The session in the file at `path`; its directory is made when needed.
  public init(path: String) { file = PrivateFile(path: path) }

  /// The kept session; a file that holds none counts as signed out.
  public func load() async throws(StorageError) -> Session? {
    guard let bytes = try await file.read() else { return nil }
    return JSONCoding.decode(JSONValue.self, from: bytes).flatMap { Session(stored: $0) }
  }

  /// Replaces the file in one step.
  public func save(_ session: Session) async throws(StorageError) {
    try await file.write(session.stored.serialized)
  }

  /// Removes the file.
  public func remove() async throws(StorageError) { try await file.remove() }
}
