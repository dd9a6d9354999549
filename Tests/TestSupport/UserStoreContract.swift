import Domain
import Primitives
import Testing

/// What every `UserStore` promises.
package enum UserStoreContract {
  /// The promises.
  package static let promises: [Promise] = finding + listing + removing

  private static let finding: [Promise] = [
    Promise("A user is found by id with every field as it was added") { (store) async throws in
      let user = User(
        id: UserID("user_1"), email: "Ada@Example.com", name: "Ada\u{0}Löv", passwordHash: Secret("$2b$12$x"),
        createdAt: Timestamp(microseconds: 1_234_567), sessionsValidFrom: Timestamp(microseconds: 89))
      #expect(try await store.users.add(user))
      #expect(try await store.users.user(user.id) == user)
      #expect(try await store.users.profile(of: user.id)?.user == user)
    },
    Promise("Nobody is found by an unknown id or address") { store in
      _ = try await store.add("ada")
      #expect(try await store.users.user(UserID("user_bob")) == nil)
      #expect(try await store.users.profile(of: UserID("user_bob")) == nil)
      #expect(try await store.users.user(withEmail: EmailAddress(lookingUp: "bob@example.com")) == nil)
    },
    Promise("An address is found as typed, and in any case or white space") { store in
      let id = try await store.add("Ada")
      for text in ["Ada@example.com", "ada@EXAMPLE.com", " ADA@example.com\n"] {
        #expect(try await store.users.user(withEmail: EmailAddress(lookingUp: text))?.id == id)
      }
    },
    Promise("An address that is taken as typed or folded adds nobody") { store in
      let id = try await store.add("ada")
      for email in ["ada@example.com", "ADA@Example.com"] {
        let other = User(
          id: UserID("user_2"), email: email, name: "", passwordHash: Secret("x"),
          createdAt: StoreFixture.noon)
        #expect(try await !store.users.add(other))
      }
      #expect(try await store.users.user(UserID("user_2")) == nil)
      #expect(try await store.users.user(withEmail: EmailAddress(lookingUp: "ada@example.com"))?.id == id)
    },
    Promise("Of many who take one address at once exactly one gets it") { store in
      let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<20 {
          group.addTask {
            try await store.users.add(
              User(
                id: UserID("user_\(index)"), email: index.isMultiple(of: 2) ? "ada@x.org" : "ADA@x.org",
                name: "", passwordHash: Secret("x"), createdAt: StoreFixture.noon))
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    },
    Promise("A profile shows the connection as it stands, and none where there is none") { store in
      let id = try await store.add("ada")
      #expect(try await store.users.profile(of: id)?.connection == nil)
      try await store.connect(id)
      #expect(try await store.users.profile(of: id)?.connection == .sample())
      var record = GmailConnection.sample()
      record.recordedStatus = .blocked
      try await store.change(id, VaultChange(connection: .put(record)))
      #expect(try await store.users.profile(of: id)?.connection == record)
      try await store.change(id, VaultChange(secret: .remove, connection: .forget))
      #expect(try await store.users.profile(of: id)?.connection == nil)
    },
    Promise("A new password changes the hash and the sessions' beginning, and nothing else") { store in
      let id = try await store.add("ada")
      try await store.users.setPassword(Secret("new"), of: id, sessionsValidFrom: StoreFixture.noon)
      let old = User.sample("ada")
      let new = User(
        id: id, email: old.email, name: old.name, passwordHash: Secret("new"), createdAt: old.createdAt,
        sessionsValidFrom: StoreFixture.noon)
      #expect(try await store.users.user(id) == new)
    },
    Promise("A new password for nobody fails with noSuchUser") { (store) async throws in
      await #expect(throws: StoreError.noSuchUser) {
        try await store.users.setPassword(
          Secret("x"), of: UserID("user_1"), sessionsValidFrom: StoreFixture.noon)
      }
    },
  ]

  private static let listing: [Promise] = [
    Promise("Pages hold every user once, with every field, up to the limit each") { store in
      var added: Set<User> = []
      for number in 0..<7 { added.insert(.sample("user-\(number)")) }
      for user in added { #expect(try await store.users.add(user)) }
      for limit in [1, 3, 7, 50] {
        var listed: [User] = []
        var last: UserID?
        repeat {
          let page = try await store.users.users(after: last, limit: limit)
          #expect(page.users.count <= limit)
          listed += page.users
          last = page.next
        } while last != nil
        #expect(listed.count == 7 && Set(listed) == added)
      }
    },
    Promise("Nobody is listed where there is nobody") { store in
      let page = try await store.users.users(after: nil, limit: 5)
      #expect(page.users.isEmpty && page.next == nil)
    },
    Promise("A page goes on from one who is gone, and misses none of the others") { store in
      for name in ["a", "b", "c", "d", "e"] { _ = try await store.add(name) }
      let first = try await store.users.users(after: nil, limit: 2)
      let last = try #require(first.next)
      #expect(try await store.users.remove(last))
      var listed = first.users
      var next: UserID? = last
      while let last = next {
        let page = try await store.users.users(after: last, limit: 2)
        listed += page.users
        next = page.next
      }
      #expect(listed.count == 5 && Set(listed.map(\.id)).count == 5)
    },
  ]

  private static let removing: [Promise] = [
    Promise("A user who holds tokens, readable or not, is not removed, and keeps everything") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      #expect(try await !store.users.remove(id))
      #expect(try await store.vault.read(id).secret.tokens == .sample())
      try await store.corruptSecret(id)
      #expect(try await !store.users.remove(id))
      #expect(try await store.users.profile(of: id)?.connection == .sample())
    },
    Promise("Removing a user removes the record, what is aside, the lease and their counts") { store in
      let (id, bob) = (try await store.add("ada"), try await store.add("bob"))
      try await store.connect(id)
      _ = try await store.vault.acquireLease(
        on: id, owner: "a", now: StoreFixture.noon, until: StoreFixture.noon + .seconds(60))
      try await store.change(
        id, VaultChange(secret: .setAside(at: StoreFixture.noon, because: .invalidGrant)))
      _ = try await store.ledger.record(.died, of: id, at: StoreFixture.noon)
      #expect(try await store.users.remove(id))
      #expect(try await store.users.user(id) == nil)
      #expect(try await store.vault.setAside(since: Timestamp(microseconds: 0)).isEmpty)
      let snapshot = try await store.vault.read(id)
      #expect(snapshot.connection == nil && snapshot.lease == nil && snapshot.aside == nil)
      #expect(try await store.ledger.record(.succeeded, of: bob, at: StoreFixture.noon).refreshes == 1)
    },
    Promise("Removing a user keeps the revocations that are owed") { store in
      let id = try await store.add("ada")
      let order = RevocationOrder.sample("order-1")
      try await store.queue(order, by: id)
      #expect(try await store.users.remove(id))
      #expect(try await store.revocations.due(at: StoreFixture.noon, limit: 9) == ["order-1"])
    },
    Promise("Removing nobody succeeds, and the address of one removed is free again") { store in
      #expect(try await store.users.remove(UserID("user_1")))
      let id = try await store.add("ada")
      #expect(try await store.users.remove(id))
      _ = try await store.add("ada")
    },
  ]
}
