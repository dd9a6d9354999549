import Cryptography
import Domain
import FoundationEssentials
import Primitives
import TestSupport
import Testing

@testable import SQLite

/// What stands in the file opens only where it belongs, and is kept when it does not.
@Suite struct SealedValuesTests {
  private let files: TemporaryDatabase
  private let store: StoreFixture

  init() throws {
    files = try TemporaryDatabase()
    store = StoreFixture(try files.open())
  }

  @Test("A sealed value that was moved to another user's row is unusable there")
  func moved() async throws {
    let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
    try await store.connect(ada)
    try await store.connect(bob)
    try files.replaceSecret(of: bob, by: try files.secret(of: ada))
    #expect(try await reopened().vault.read(bob).secret.isUnusable)
    // Nor with the record that belongs to it.
    let raw = try files.raw()
    try raw.run(
      """
      UPDATE connections SET version = (SELECT version FROM connections WHERE user_id = ?) WHERE user_id = ?
      """, SQLiteValue(ada), SQLiteValue(bob))
    #expect(try await reopened().vault.read(bob).secret.isUnusable)
    #expect(try await reopened().vault.read(ada).secret.tokens == .sample())
  }

  @Test("An older sealed value that was put back alone is unusable")
  func putBack() async throws {
    let id = try await store.add("ada")
    try await store.connect(id)
    let old = try files.secret(of: id)
    try await store.connect(id, tokens: .sample(access: "ya29.newer"))
    try files.replaceSecret(of: id, by: old)
    #expect(try await reopened().vault.read(id).secret.isUnusable)
  }

  @Test("A value with one wrong bit is unusable, and is kept as it is whatever takes its place")
  func flipped() async throws {
    let kinds: [VaultChange.SecretChange] = [
      .put(.sample()), .remove, .setAside(at: StoreFixture.noon, because: .unreadable),
    ]
    for (index, change) in kinds.enumerated() {
      let id = try await store.add("user-\(index)")
      try await store.connect(id)
      try await store.corruptSecret(id)
      let value = try files.secret(of: id)
      try await store.change(id, VaultChange(secret: change))
      let kept = try files.raw().all(
        "SELECT sealed, reason, is_readable, version IS NULL FROM asides WHERE user_id = ?", SQLiteValue(id)
      ) { ($0.blob(0), $0.text(1), $0.flag(2), $0.flag(3)) }
      try #require(kept.count == 1)
      #expect(kept[0].0 == value && kept[0].1 == "unreadable" && !kept[0].2 && !kept[0].3)
    }
  }

  @Test("A value that does not open outlives the seven days of what was set aside")
  func unreadableStays() async throws {
    let id = try await store.add("ada")
    try await store.connect(id)
    try await store.corruptSecret(id)
    try await store.change(id, VaultChange(secret: .setAside(at: StoreFixture.noon, because: .unreadable)))
    try await store.vault.discardAsides(before: StoreFixture.noon + .seconds(8 * 24 * 3600))
    #expect(try files.raw().first("SELECT count(*) FROM asides") { $0.integer(0) } == 1)
  }

  @Test("Disconnecting destroys a value that does not open as well")
  func disconnecting() async throws {
    let id = try await store.add("ada")
    try await store.connect(id)
    try await store.corruptSecret(id)
    try await store.change(id, VaultChange(secret: .remove, connection: .forget, discardsAsides: true))
    #expect(try files.raw().first("SELECT count(*) FROM asides") { $0.integer(0) } == 0)
  }

  @Test("A value whose key is missing is unavailable, whatever is asked, and nothing is changed")
  func missingKey() async throws {
    let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
    try await store.connect(ada)
    try await store.connect(bob)
    try await store.change(bob, VaultChange(secret: .setAside(at: StoreFixture.noon, because: .invalidGrant)))
    try await store.queue(.sample("order-1", account: "sub-9"), by: ada)
    let before = try contents()
    let stranger = try #require(WrappingKey(RandomSource.system.bytes(32)))
    let blind = StoreFixture(try files.open(keys: KeyRing(stranger)))
    for id in [ada, bob] {
      await #expect(throws: StoreError.unavailable) { try await blind.vault.read(id) }
      await #expect(throws: StoreError.unavailable) { try await blind.connect(id) }
      await #expect(throws: StoreError.unavailable) {
        try await blind.change(
          id, VaultChange(secret: .setAside(at: StoreFixture.noon, because: .unreadable)))
      }
    }
    await #expect(throws: StoreError.unavailable) {
      try await blind.revocations.begin("order-1", at: StoreFixture.noon)
    }
    #expect(try contents() == before)
    #expect(try await blind.users.profile(of: ada)?.connection == .sample())
  }

  @Test("A key that is found when the key file is read again opens the value")
  func keyFoundLater() async throws {
    let id = try await store.add("ada")
    try await store.connect(id)
    let (stranger, ring) = (try #require(WrappingKey(RandomSource.system.bytes(32))), KeyRing(files.key))
    let sealer = Sealer(keys: KeyRing(stranger), reload: { ring })
    let database = try SQLiteDatabase(
      path: files.path, sealer: sealer, random: .system, time: files.clock.source)
    #expect(try await SQLiteTokenVault(database).read(id).secret.tokens == .sample())
  }

  @Test("A value set aside opens only in its own row")
  func movedAside() async throws {
    let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
    for id in [ada, bob] {
      try await store.connect(id)
      try await store.change(
        id, VaultChange(secret: .setAside(at: StoreFixture.noon, because: .invalidGrant)))
    }
    try files.raw().run(
      "UPDATE asides SET sealed = (SELECT sealed FROM asides WHERE user_id = ?) WHERE user_id = ?",
      SQLiteValue(ada), SQLiteValue(bob))
    #expect(try await store.vault.read(bob).aside == nil)
    #expect(try await store.vault.read(ada).aside == .sample())
  }

  @Test("An order that was pointed at another Google or account is dropped, and its token goes nowhere")
  func redirectedOrder() async throws {
    let id = try await store.add("ada")
    for order in ["order-1", "order-2"] { try await store.queue(.sample(order), by: id) }
    let raw = try files.raw()
    try raw.run("UPDATE revocations SET google_base_url = 'https://evil.example' WHERE id = 'order-1'")
    try raw.run("UPDATE revocations SET google_sub = 'sub-2' WHERE id = 'order-2'")
    for order in ["order-1", "order-2"] {
      #expect(try await store.revocations.begin(order, at: StoreFixture.noon).isGone)
    }
    #expect(try await store.revocations.due(at: StoreFixture.noon, limit: 9).isEmpty)
  }

  @Test("No token stands in the file or its log, as it is or in base64")
  func noPlaintext() async throws {
    let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
    let tokens = [
      "ya29.a0AfH6SNeedle-Access-0123456789", "1//0gNeedle-Refresh-9876543210", "1//0gNeedle-Order-55",
    ]
    let secret = OAuthTokens.sample(access: tokens[0], refresh: tokens[1])
    for id in [ada, bob] { try await store.connect(id, tokens: secret) }
    let order = RevocationOrder(
      id: "order-1", subject: GoogleSubject("s"), token: Secret(tokens[2]), googleBaseURL: "https://g",
      queuedAt: StoreFixture.noon)
    try await store.change(
      bob, VaultChange(secret: .setAside(at: StoreFixture.noon, because: .invalidGrant), revocation: order))
    let file = try [files.path, files.path + "-wal"].flatMap {
      try [UInt8](Data(contentsOf: URL(filePath: $0)))
    }
    #expect(holds(file, Array("gmail/user/user_ada".utf8)))
    for token in tokens {
      #expect(!holds(file, Array(token.utf8)))
      // Base64 of any alignment holds the encoding of some inner part.
      for start in 0..<3 {
        let inner = Array(token.utf8.dropFirst(start).prefix(18))
        #expect(!holds(file, Array(Base64URL.encode(inner).utf8)))
        #expect(!holds(file, Array(Data(inner).base64EncodedString().utf8)))
      }
    }
  }

  @Test("What was deleted is no longer in the file, not even sealed")
  func overwriting() async throws {
    let id = try await store.add("ada")
    try await store.connect(id)
    let value = try files.secret(of: id)
    try await store.change(id, VaultChange(secret: .remove, connection: .forget))
    _ = try files.raw().first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
    let file = try [UInt8](Data(contentsOf: URL(filePath: files.path)))
    #expect(!holds(file, value))
    #expect(holds(file, Array("user_ada".utf8)))
  }

  private func holds(_ file: [UInt8], _ needle: [UInt8]) -> Bool {
    file.withUnsafeBufferPointer { file in
      file.indices.dropLast(needle.count - 1).contains { start in
        file[start] == needle[0] && file[start..<start + needle.count].elementsEqual(needle)
      }
    }
  }

  private func reopened() throws -> StoreFixture { StoreFixture(try files.open()) }

  /// Everything that a change of connections could touch.
  private func contents() throws -> [[UInt8]] {
    let raw = try files.raw()
    return try raw.all("SELECT sealed FROM secrets ORDER BY name") { $0.blob(0) }
      + raw.all("SELECT sealed FROM asides ORDER BY id") { $0.blob(0) }
      + raw.all("SELECT sealed FROM revocations ORDER BY id") { $0.blob(0) }
      + raw.all("SELECT user_id || revision || coalesce(version, '') FROM connections ORDER BY user_id") {
        Array($0.text(0).utf8)
      }
  }
}
