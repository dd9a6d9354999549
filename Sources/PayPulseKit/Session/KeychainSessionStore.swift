#if canImport(Security)
  import Primitives

  /// A session in the device's Keychain. The item outlives the app's deletion; see ``InstallMarker``.
  public struct KeychainSessionStore: SessionStore {
    private let item: KeychainItem

    /// The session under `service`.
    public init(service: String = "io.paypulse.session") {
      item = KeychainItem(service: service, account: "session")
    }

    /// The kept session.
    public func load() async throws(StorageError) -> Session? {
      guard let bytes = try await item.read() else { return nil }
      return JSONCoding.decode(JSONValue.self, from: bytes).flatMap { Session(stored: $0) }
    }

    /// Keeps `session` in place of any other.
    public func save(_ session: Session) async throws(StorageError) {
      try await item.write(session.stored.serialized)
    }

    /// Forgets the session.
    public func remove() async throws(StorageError) { try await item.remove() }
  }
#endif
