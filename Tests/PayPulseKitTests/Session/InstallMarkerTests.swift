import FoundationEssentials
import PayPulseKit
import Primitives
import Testing

@Suite("The first start after an installation")
final class InstallMarkerTests {
  private let path = FileManager.default.temporaryDirectory.appending(
    path: "paypulse-\(RandomSource.system.uuid())/Application Support/installed"
  ).path
  private let sessions = InMemorySessionStore()
  private let undelivered = InMemoryUndeliveredTokensStore()
  private let google = ForgetfulAuthorizer()

  deinit {
    try? FileManager.default.removeItem(
      at: URL(filePath: path).deletingLastPathComponent().deletingLastPathComponent())
  }

  private func start() async throws -> Bool {
    try await InstallMarker(path: path).eraseInherited(
      sessions: sessions, undelivered: undelivered, authorizer: google)
  }

  private func inherit() async throws {
    let session = try Fixture.session()
    await sessions.save(session)
    let grant = GoogleGrant(
      accessToken: Secret("a"), refreshToken: nil, obtainedAt: Timestamp(seconds: 0),
      expiresAt: Timestamp(seconds: 1), grantedScopes: nil, clientID: "c", endpoints: GoogleEndpoints())
    try await undelivered.save(UndeliveredTokens(owner: .init(session), stage: .granted(grant)))
  }

  @Test("B6: what a deleted installation left in the Keychain is erased once, Google's SDK included")
  func inherited() async throws {
    try await inherit()
    #expect(try await start())
    #expect(await sessions.session == nil)
    #expect(await undelivered.records.isEmpty)
    #expect(await google.forgotten == 1)
    try await inherit()
    #expect(try await start() == false)
    #expect(await sessions.session != nil)
    #expect(await undelivered.records.count == 1)
    #expect(await google.forgotten == 1)
  }

  @Test("B6: the app deleted and installed anew is a first start again")
  func reinstalled() async throws {
    #expect(try await start())
    try await inherit()
    try FileManager.default.removeItem(atPath: path)
    #expect(try await start())
    #expect(await sessions.session == nil)
  }

  @Test("B6: a start that is cut short before all is erased erases again")
  func cutShort() async throws {
    try await inherit()
    await undelivered.lock()
    await #expect(throws: StorageError.self) { try await self.start() }
    #expect(await sessions.session != nil)
    await undelivered.unlock()
    #expect(try await start())
    #expect(await sessions.session == nil)
  }

  @Test("a marker that cannot be read erases nothing, and lets nothing inherited be used")
  func unreadable() async throws {
    try await inherit()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    await #expect(throws: StorageError.self) { try await self.start() }
    #expect(await sessions.session != nil)
  }
}

private actor ForgetfulAuthorizer: GoogleAuthorizing {
  private(set) var forgotten = 0
  func authorize(
    _ consent: ConsentRequest,
    checkpoint: @escaping @Sendable (AuthorizationCheckpoint) async throws(StorageError) -> Void
  ) async throws(AuthorizationError) -> GoogleGrant { throw .cancelled }
  func forget() { forgotten += 1 }
}
