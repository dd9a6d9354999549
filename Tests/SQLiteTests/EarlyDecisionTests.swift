import Domain
import Primitives
import TestSupport
import Testing

@testable import SQLite

/// A change is decided and sealed upon what this process knows, and anew in the transaction where that no longer stands.
@Suite struct EarlyDecisionTests {
  private let files: TemporaryDatabase
  private let mine: StoreFixture
  private let theirs: StoreFixture
  private let account = GoogleSubject("sub-1")

  init() throws {
    files = try TemporaryDatabase()
    mine = StoreFixture(try files.open())
    // Another process: it shares nothing but the file.
    theirs = StoreFixture(try files.open())
  }

  /// What somebody may do to a connection behind this process's back.
  enum Event: CaseIterable {
    case nothing, newRecord, newSecret, setAside, disconnect, lease, lapsedLease, mark, wrongBit, putBack
  }

  @Test(
    "It is made upon what is stored, whatever happened since this process looked", arguments: Event.allCases)
  func staleKnowledge(_ event: Event) async throws {
    let id = try await mine.add("ada")
    try await mine.connect(id)
    let old = try files.secret(of: id)
    try await mine.connect(id, tokens: .sample(access: "ya29.known"))
    try await happen(event, to: id, old)

    let stored = try await StoreFixture(files.open()).vault.read(id)
    let mark = try await theirs.mark(of: account, seenBy: id)
    let seen = Counter()
    let change = VaultChange(secret: .put(.sample(access: "ya29.next")), connection: .put(.sample()))
    let upon = try await mine.vault.update(id, account: account) { snapshot in
      seen.add()
      return (change, snapshot)
    }
    #expect(upon.connection == stored.connection && upon.lease == stored.lease && upon.revocation == mark)
    #expect(upon.secret.tokens == stored.secret.tokens && upon.secret.isNone == stored.secret.isNone)
    #expect(seen.count == (event == .nothing ? 1 : 2))

    let after = try await StoreFixture(files.open()).vault.read(id)
    #expect(after.secret.tokens == .sample(access: "ya29.next") && after.connection == .sample())
    #expect(after.lease == stored.lease)
    let unreadable = try files.raw().first("SELECT sealed FROM asides WHERE is_readable = 0") { $0.blob(0) }
    #expect((unreadable != nil) == (event == .wrongBit || event == .putBack))
  }

  @Test("A user whom another process has removed is missed, though this one knows their connection")
  func removed() async throws {
    let id = try await mine.add("ada")
    try await mine.connect(id)
    try await theirs.change(id, VaultChange(secret: .remove, connection: .forget, discardsAsides: true))
    #expect(try await theirs.users.remove(id))
    await #expect(throws: StoreError.noSuchUser) { try await mine.connect(id) }
  }

  @Test("Changes by many at once in one process are made one upon the other")
  func together() async throws {
    let id = try await mine.add("ada")
    try await mine.connect(id)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await mine.vault.update(id) { stored in
            (VaultChange(secret: .put(.sample(fence: (stored.secret.tokens?.fence ?? -999) + 1))), ())
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await theirs.vault.read(id).secret.tokens?.fence == 200)
  }

  private func happen(_ event: Event, to id: UserID, _ old: [UInt8]) async throws {
    let noon = StoreFixture.noon
    switch event {
    case .nothing: break
    case .newRecord:
      try await theirs.change(id, VaultChange(connection: .put(.sample(status: .limited))))
    case .newSecret: try await theirs.connect(id, tokens: .sample(access: "ya29.theirs"))
    case .setAside:
      try await theirs.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
    case .disconnect: try await theirs.change(id, VaultChange(secret: .remove, connection: .forget))
    case .lease:
      #expect(try await theirs.lease(id, "theirs", now: noon, until: noon + .seconds(60)) != nil)
    case .lapsedLease:
      let lease = try await theirs.lease(id, "theirs", now: noon, until: noon + .seconds(60))
      try await theirs.vault.release(try #require(lease), on: id)
    case .mark:
      try files.raw().run(
        "INSERT INTO revocation_marks (google_sub, order_id, started_at) VALUES (?, 'order-1', ?)",
        SQLiteValue(account), SQLiteValue(noon))
    case .wrongBit:
      var value = try files.secret(of: id)
      value[value.count - 1] ^= 1
      try files.replaceSecret(of: id, by: value)
    case .putBack: try files.replaceSecret(of: id, by: old)
    }
  }
}
