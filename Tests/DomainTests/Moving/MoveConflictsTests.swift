import Primitives
import TestSupport
import Testing

@testable import Domain

@Suite("MoveAccounts where something is in the way")
struct MoveConflictsTests {
  let world = MovingWorld()

  private func user(_ id: String, _ email: String, at seconds: Int64 = 0) -> User {
    User(
      id: UserID(id), email: email, name: "", passwordHash: Secret("hash"),
      createdAt: StoreFixture.noon + .seconds(seconds))
  }

  /// An older backend: whoever came was added.
  private struct Careless: UserStore {
    let all: [User]

    func add(_ user: User) async throws(StoreError) -> Bool { throw .unavailable }
    func user(withEmail email: EmailAddress) async throws(StoreError) -> User? { throw .unavailable }
    func user(_ id: UserID) async throws(StoreError) -> User? { all.first { $0.id == id } }
    func profile(of id: UserID) async throws(StoreError) -> Profile? { throw .unavailable }
    func users(after last: UserID?, limit: Int) async throws(StoreError) -> UserPage {
      UserPage(users: all, next: nil)
    }
    func setPassword(_ hash: Secret, of id: UserID, sessionsValidFrom: Timestamp) async throws(StoreError) {
      throw .unavailable
    }
    func remove(_ id: UserID) async throws(StoreError) -> Bool { throw .unavailable }
  }

  @Test(
    "Of users with one folded address the first is moved, and the others are named", arguments: [true, false])
  func sharedAtSource(isDryRun: Bool) async throws {
    let users = [
      user("user_2", "ADA@example.com", at: 2), user("user_1", "ada@example.com", at: 1),
      user("user_3", "Ada@Example.com", at: 3), user("user_4", "bob@example.com"),
    ]
    let source = AccountPlace(
      users: Careless(all: users), vault: world.source.vault, revocations: world.source.revocations)
    let first = UserID("user_1")
    for _ in 0..<2 {
      let (summary, outcomes) = try await world.move(MoveMode(isDryRun: isDryRun), from: source)
      #expect(outcomes[UserID("user_2")] == .refused(.addressTaken(by: first)))
      #expect(outcomes[UserID("user_3")] == .refused(.addressTaken(by: first)))
      #expect(summary.addressesTaken == 2 && summary.copied + summary.equal == 2 && !summary.isUnhindered)
    }
    #expect(world.stores.destination.knows(first) == !isDryRun)
    #expect(world.stores.destination.knows(UserID("user_2")) == false)
  }

  @Test(
    "An address that is another's at the destination is refused, with both ids", arguments: [true, false])
  func takenAtDestination(isDryRun: Bool) async throws {
    #expect(try await world.source.users.add(user("user_1", "ada@example.com")))
    #expect(try await world.destination.users.add(user("user_9", "ADA@example.com", at: 99)))
    let outcomes = try await world.move(MoveMode(isDryRun: isDryRun, overwrites: true)).outcomes
    #expect(outcomes == [UserID("user_1"): .refused(.addressTaken(by: UserID("user_9")))])
    #expect(world.stores.destination.knows(UserID("user_1")) == false)
  }

  @Test("An address that was taken meanwhile is refused too, with both ids")
  func takenMeanwhile() async throws {
    #expect(try await world.source.users.add(user("user_1", "ada@example.com")))
    #expect(try await world.destination.users.add(user("user_9", "ada@example.com")))
    // The list of the destination's users does not have them yet.
    let late = AccountPlace(
      users: Listless(base: world.destination.users), vault: world.destination.vault,
      revocations: world.destination.revocations)
    let outcomes = try await world.move(to: late).outcomes
    #expect(outcomes == [UserID("user_1"): .refused(.addressTaken(by: UserID("user_9")))])
  }

  private struct Listless: UserStore {
    let base: any UserStore

    func add(_ user: User) async throws(StoreError) -> Bool { try await base.add(user) }
    func user(withEmail email: EmailAddress) async throws(StoreError) -> User? {
      try await base.user(withEmail: email)
    }
    func user(_ id: UserID) async throws(StoreError) -> User? { try await base.user(id) }
    func profile(of id: UserID) async throws(StoreError) -> Profile? { try await base.profile(of: id) }
    func users(after last: UserID?, limit: Int) async throws(StoreError) -> UserPage {
      UserPage(users: [], next: nil)
    }
    func setPassword(_ hash: Secret, of id: UserID, sessionsValidFrom: Timestamp) async throws(StoreError) {
      try await base.setPassword(hash, of: id, sessionsValidFrom: sessionsValidFrom)
    }
    func remove(_ id: UserID) async throws(StoreError) -> Bool { try await base.remove(id) }
  }

  @Test(
    "An unreadable secret stays where it is; its user is moved, and the tokens follow once they can be read")
  func unreadable() async throws {
    let ada = try await world.source.add("ada")
    try await world.source.connect(ada)
    try await world.source.corruptSecret(ada)
    for isDryRun in [true, false, false] {
      let (summary, outcomes) = try await world.move(MoveMode(isDryRun: isDryRun))
      #expect(outcomes == [ada: .refused(.unreadable)] && summary.unreadable == 1 && !summary.isUnhindered)
      #expect(summary.sourceDigest != summary.destinationDigest)
    }
    #expect(try await world.source.vault.read(ada).secret.isUnusable)
    #expect(try await world.destination.users.user(ada) == .sample("ada"))
    #expect(try await world.destination.vault.read(ada).isUntouched)
    try await world.source.connect(ada)
    #expect(try await world.move().outcomes == [ada: .copied])
  }

  @Test("A connection that differs stays, unless it is to be overwritten")
  func differing() async throws {
    let ada = try await world.source.add("ada")
    try await world.source.connect(ada)
    _ = try await world.destination.add("ada")
    let newer = OAuthTokens.sample(access: "ya29.newer")
    try await world.destination.connect(ada, tokens: newer)
    for isDryRun in [true, false] {
      let (summary, outcomes) = try await world.move(MoveMode(isDryRun: isDryRun))
      #expect(outcomes == [ada: .different(.connection)] && summary.different == 1 && !summary.isUnhindered)
    }
    let wouldBe = try await world.move(MoveMode(isDryRun: true, overwrites: true))
    #expect(wouldBe.outcomes == [ada: .overwritten] && wouldBe.summary.isUnhindered)
    #expect(try await world.destination.vault.read(ada).secret.tokens == newer)
    let summary = try await world.move(MoveMode(overwrites: true)).summary
    #expect(summary.overwritten == 1 && summary.isComplete)
    #expect(try await world.isEqual(ada))
  }

  @Test("A password that differs stays, unless it is to be overwritten; sessions that ended there stay ended")
  func password() async throws {
    let ada = try await world.source.add("ada")
    try await world.move()
    let later = StoreFixture.noon + .seconds(5)
    try await world.source.users.setPassword(Secret("new"), of: ada, sessionsValidFrom: later)
    #expect(try await world.move().outcomes == [ada: .different(.password)])
    #expect(try await world.move(MoveMode(overwrites: true)).outcomes == [ada: .overwritten])
    let user = try await world.destination.users.user(ada)
    #expect(user?.passwordHash == Secret("new") && user?.sessionsValidFrom == later)
  }

  @Test("Another name or address under one id is overwritten by nothing")
  func otherUser() async throws {
    #expect(try await world.source.users.add(user("user_1", "ada@example.com")))
    #expect(try await world.destination.users.add(user("user_1", "bob@example.com")))
    let outcomes = try await world.move(MoveMode(overwrites: true)).outcomes
    #expect(outcomes == [UserID("user_1"): .different(.user)])
    #expect(try await world.destination.users.user(UserID("user_1"))?.email == "bob@example.com")
  }

  @Test(
    "Tokens that only the destination has are not overwritten by there being none", arguments: [true, false])
  func connectedThereOnly(isReadable: Bool) async throws {
    let ada = try await world.source.add("ada")
    _ = try await world.destination.add("ada")
    try await world.destination.connect(ada)
    if !isReadable { try await world.destination.corruptSecret(ada) }
    let outcomes = try await world.move(MoveMode(overwrites: true)).outcomes
    #expect(outcomes == [ada: .different(.connectedThereOnly)])
    let secret = try await world.destination.vault.read(ada).secret
    #expect(isReadable ? secret.tokens == .sample() : secret.isUnusable)
  }

  @Test("Who disconnected at the destination after it was used there is not connected again")
  func disconnected() async throws {
    let ada = try await world.source.add("ada")
    try await world.source.connect(ada)
    try await world.move()
    let now = StoreFixture.noon
    _ = try await world.destination.vault.acquireLease(
      on: ada, owner: "a", now: now, until: now + .seconds(60))
    try await world.destination.change(ada, VaultChange(secret: .remove, connection: .forget))
    #expect(try await world.move().outcomes == [ada: .different(.connection)])
    #expect(try await world.destination.vault.read(ada).secret.isNone)
  }
}
