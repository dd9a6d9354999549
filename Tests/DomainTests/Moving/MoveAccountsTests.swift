import Primitives
import TestSupport
import Testing

@testable import Domain

@Suite("MoveAccounts")
struct MoveAccountsTests {
  let world = MovingWorld()

  /// Ada is connected, Bob never was, Eve has to connect again, with her tokens aside.
  private func people() async throws -> (ada: UserID, bob: UserID, eve: UserID) {
    let (ada, bob) = (try await world.source.add("ada"), try await world.source.add("bob"))
    let eve = try await world.source.add("eve")
    try await world.source.connect(ada)
    let dead = GmailConnection.sample(account: "sub-2", status: .needsReconnect)
    try await world.source.connect(eve, account: "sub-2", record: dead)
    try await world.source.change(
      eve, VaultChange(secret: .setAside(at: StoreFixture.noon, because: .invalidGrant)))
    return (ada, bob, eve)
  }

  @Test("Users, records and tokens are there afterwards, and equal; what is aside stays and is counted")
  func copies() async throws {
    let (ada, bob, eve) = try await people()
    let (summary, outcomes) = try await world.move()
    #expect(outcomes == [ada: .copied, bob: .copied, eve: .copied])
    #expect(summary.isComplete && summary.accounts == 3 && summary.copied == 3 && summary.asides == 1)
    #expect(summary.sourceDigest == summary.destinationDigest)
    for user in [ada, bob, eve] { #expect(try await world.isEqual(user)) }
    #expect(try await world.destination.users.user(ada) == .sample("ada"))
    let stored = try await world.destination.vault.read(ada)
    #expect(stored.secret.grantID == GrantID("grant-1") && stored.secret.tokens == .sample())
    #expect(try await world.destination.vault.read(eve).connection?.recordedStatus == .needsReconnect)
    #expect(try await world.destination.vault.read(eve).aside == nil)
    #expect(try await world.source.vault.read(eve).aside != nil)
  }

  @Test("What was moved back is what it was, and a second run finds it all equal")
  func bothWays() async throws {
    let (ada, _, _) = try await people()
    let there = try await world.move().summary
    let again = try await world.move().summary
    #expect(again.isComplete && again.equal == 3 && again.copied == 0)
    let home = MovingWorld()
    let back = try await world.move(
      from: AccountPlace(world.destination), to: AccountPlace(home.destination))
    #expect(back.summary.isComplete && back.summary.copied == 3)
    #expect(back.summary.destinationDigest == there.sourceDigest)
    #expect(try await home.destination.vault.read(ada).secret.tokens == .sample())
  }

  @Test("Tokens keep to no lease: the new place counts its own from the beginning")
  func fences() async throws {
    let ada = try await world.source.add("ada")
    try await world.source.connect(ada, tokens: .sample(fence: 41))
    try await world.move()
    let stored = try await world.destination.vault.read(ada)
    #expect(stored.secret.tokens?.fence == 0 && stored.connection?.deadFence == nil && stored.lease == nil)
  }

  @Test(
    "A secret of the older backend keeps its store's name as grant, gets a record, and is used once a day")
  func olderBackend() async throws {
    let ada = try await world.source.add("ada")
    let old = OAuthTokens.sample(account: "", grantID: nil)
    try await world.source.change(ada, VaultChange(secret: .put(old)))
    let name = try await world.source.vault.read(ada).secret.grantID
    let summary = try await world.move().summary
    #expect(summary.isComplete)
    let stored = try await world.destination.vault.read(ada)
    #expect(stored.secret.grantID == name && stored.connection?.grantID == name)
    #expect(stored.connection?.recordedStatus == .connected)
    #expect(stored.connection?.nextUseAt == SweepGrants.nextUse(of: ada, after: old.expiresAt))
    #expect(try await world.move().summary.equal == 1)
  }

  @Test("A dry run says what a run does, and writes nowhere", arguments: [false, true])
  func dryRun(isNew: Bool) async throws {
    let (ada, bob, eve) = try await people()
    let watch = (Breakage(after: .max), Breakage(after: .max))
    let (summary, outcomes) = try await world.move(
      MoveMode(isDryRun: true), from: AccountPlace(world.source).breaking(watch.0),
      to: AccountPlace(world.destination).breaking(watch.1), isNew: isNew)
    #expect(outcomes == [ada: .copied, bob: .copied, eve: .copied])
    #expect(summary.isUnhindered && !summary.isComplete)
    #expect(watch.0.calls > 0 && watch.0.writes == 0 && watch.1.writes == 0)
    #expect(world.stores.destination.knows(ada) == false)
  }

  @Test("Revocations owed stay at the source: they are counted, and keep the move from being complete")
  func owed() async throws {
    let ada = try await world.source.add("ada")
    try await world.source.queue(.sample("order-1"), by: ada)
    try await world.source.queue(.sample("order-2", queuedAt: StoreFixture.noon + .seconds(9999)), by: ada)
    let summary = try await world.move().summary
    #expect(summary.owed == 2 && summary.copied == 1 && !summary.isComplete)
    #expect(world.stores.destination.revocationOrders.isEmpty)
    #expect(world.stores.source.revocationOrders.count == 2)
  }

  @Test("Many users are paged through, each once")
  func many() async throws {
    for number in 0..<250 { _ = try await world.source.add("user-\(number)") }
    let (summary, outcomes) = try await world.move()
    #expect(summary.accounts == 250 && outcomes.count == 250 && summary.isComplete)
  }

  @Test("A grant that is being refreshed at the source is not taken out of its hands")
  func inUse() async throws {
    let ada = try await world.source.add("ada")
    try await world.source.connect(ada)
    let now = StoreFixture.noon
    _ = try await world.source.vault.acquireLease(on: ada, owner: "a", now: now, until: now + .seconds(60))
    #expect(try await world.move().outcomes == [ada: .failed(.inUse)])
    #expect(world.stores.destination.knows(ada) == false)
    world.clock.advance(by: .seconds(60))
    #expect(try await world.move().summary.isComplete)
  }

  @Test("Nothing is put under a revocation that runs at the destination")
  func beingRevoked() async throws {
    let (ada, bob) = (try await world.source.add("ada"), try await world.destination.add("bob"))
    try await world.source.connect(ada)
    try await world.destination.queue(.sample("order-1"), by: bob)
    _ = try await world.destination.revocations.begin("order-1", at: StoreFixture.noon)
    #expect(try await world.move().outcomes == [ada: .failed(.beingRevoked)])
    #expect(try await world.destination.vault.read(ada).secret.isNone)
    world.clock.advance(by: .seconds(60))
    #expect(try await world.move().summary.isComplete)
  }
}
