/// Tells the first start after an installation from every later one, by a file that dies with the app.
///
/// The Keychain outlives the app: without this, whoever installs it anew would be signed in as the one before.
public struct InstallMarker: Sendable {
  private let file: PrivateFile

  /// The marker at `path`: on Apple's systems in the app's Application Support directory.
  public init(path: String) { file = PrivateFile(path: path) }

  /// Erases what a deleted installation left on the device, at the first start after an installation. The marker is
  /// set last, so that a start which is cut short erases again.
  ///
  /// - Returns: whether this was the first start.
  /// - Throws: when something cannot be read or erased; whether it is the first start may then be unknown (a device
  ///   that was not unlocked yet), so nothing inherited may be used.
  @discardableResult public func eraseInherited(
    sessions: any SessionStore, undelivered: any UndeliveredTokensStore, authorizer: any GoogleAuthorizing
  ) async throws(StorageError) -> Bool {
    guard try await file.read() == nil else { return false }
    await authorizer.forget()
    try await undelivered.removeAll()
    try await sessions.remove()
    try await file.write(Array("installed".utf8))
    return true
  }
}
