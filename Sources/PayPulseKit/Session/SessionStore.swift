/// Where the device keeps its session between starts.
public protocol SessionStore: Sendable {
  /// The kept session; nil when there is none, or none that can be read.
  func load() async throws(StorageError) -> Session?
  /// Keeps `session` in place of any other; when this returns, a crash does not lose it.
  func save(_ session: Session) async throws(StorageError)
  /// Forgets the session; fine when there is none.
  func remove() async throws(StorageError)
}
