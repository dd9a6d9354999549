import Domain
import Primitives
import Testing

/// What every `TokenVault` promises of values that are set aside.
package enum TokenVaultAsidesContract {
  /// The promises.
  package static let promises: [Promise] = readable + unreadable

  private static let noon = StoreFixture.noon

  private static let readable: [Promise] = [
    Promise("A secret that is set aside leaves its name and is known with its account and time") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      for snapshot in [try await store.vault.read(id), try await store.vault.update(id) { (.none, $0) }] {
        #expect(snapshot.secret.isNone && snapshot.connection == .sample())
        #expect(snapshot.aside == .sample())
      }
      let limited = OAuthTokens.sample(refresh: nil)
      try await store.connect(id, tokens: limited)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      #expect(try await store.vault.read(id).aside?.isRefreshable == false)
    },
    Promise("Setting aside where there is nothing does nothing, and keeps what is aside") { store in
      let id = try await store.add("ada")
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      #expect(try await store.vault.read(id).aside == nil)
      #expect(try await store.vault.setAside(since: noon).isEmpty)
      try await store.connect(id)
      for offset in [0, 1] {
        let aside = VaultChange.SecretChange.setAside(at: noon + .seconds(offset), because: .invalidGrant)
        try await store.change(id, VaultChange(secret: aside))
      }
      #expect(try await store.vault.read(id).aside == .sample())
    },
    Promise("What is aside is restored as it was, and then is aside no more") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      try await store.change(id, VaultChange(secret: .restoreAside))
      for _ in 0..<2 {
        let snapshot = try await store.vault.read(id)
        #expect(snapshot.secret.tokens == .sample() && snapshot.connection == .sample())
        #expect(snapshot.aside == nil)
      }
      #expect(try await store.vault.setAside(since: noon).isEmpty)
      try await store.change(id, VaultChange(secret: .remove))
      #expect(try await store.vault.read(id).aside == nil)
    },
    Promise("A grant without an id of its own keeps, when restored, the name that it had") { store in
      let id = try await store.add("ada")
      try await store.connect(id, tokens: .sample(grantID: nil))
      let name = try await store.vault.read(id).secret.grantID
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      try await store.change(id, VaultChange(secret: .restoreAside))
      #expect(try await store.vault.read(id).secret.grantID == name)
    },
    Promise("Restoring changes nothing where there is a secret, or nothing aside") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      try await store.connect(ada)
      for id in [ada, bob] { try await store.change(id, VaultChange(secret: .restoreAside)) }
      #expect(try await store.vault.read(ada).secret.tokens == .sample())
      #expect(try await store.vault.read(bob).secret.isNone)
    },
    Promise("Tokens that are put end what was aside") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      let tokens = OAuthTokens.sample(access: "ya29.other")
      try await store.connect(id, tokens: tokens)
      let snapshot = try await store.vault.read(id)
      #expect(snapshot.secret.tokens == tokens && snapshot.aside == nil)
      #expect(try await store.vault.setAside(since: noon).isEmpty)
      try await store.change(id, VaultChange(secret: .remove))
      #expect(try await store.vault.read(id).aside == nil)
    },
    Promise("Of values set aside one after the other the last is restored") { store in
      let id = try await store.add("ada")
      for (access, offset) in [("ya29.new", 5), ("ya29.old", 1), ("ya29.last", 5)] {
        try await store.connect(id, tokens: .sample(access: access))
        let moment = noon + .seconds(offset)
        try await store.change(id, VaultChange(secret: .setAside(at: moment, because: .invalidGrant)))
        #expect(try await store.vault.read(id).aside?.since == moment)
      }
      try await store.change(id, VaultChange(secret: .restoreAside))
      #expect(try await store.vault.read(id).secret.tokens == .sample(access: "ya29.last"))
    },
    Promise("A change can destroy what is aside, and only that user's") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      for id in [ada, bob] {
        try await store.connect(id)
        try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      }
      try await store.change(ada, VaultChange(discardsAsides: true))
      try await store.change(ada, VaultChange(secret: .restoreAside))
      #expect(try await store.vault.read(ada).secret.isNone)
      #expect(try await store.vault.read(bob).aside == .sample())
    },
    Promise("A change can let go of the grant that is aside: its own token is queued") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      let owed = AsideRevocation(id: "order-1", queuedAt: noon, googleBaseURL: "https://other.example")
      let change = VaultChange(
        secret: .remove, connection: .forget, discardsAsides: true, asideRevocation: owed)
      try await store.change(id, change)
      let order = OAuthTokens.sample().revocationOrder(id: "order-1", now: noon, baseURL: "")
      #expect(try await store.revocations.begin("order-1", at: noon).order == order)
      #expect(try await store.vault.read(id).aside == nil)
    },
    Promise("Letting go of what is aside queues nothing where nothing is, or nothing alive") { store in
      let id = try await store.add("ada")
      let late = noon + .seconds(4000)
      let owed = AsideRevocation(id: "order-1", queuedAt: late, googleBaseURL: "https://other.example")
      try await store.change(id, VaultChange(asideRevocation: owed))
      try await store.connect(id, tokens: .sample(refresh: nil))
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      try await store.change(id, VaultChange(discardsAsides: true, asideRevocation: owed))
      #expect(try await store.revocations.begin("order-1", at: late).isGone)
    },
    Promise("Who lost something to invalid_grant since a moment, that moment included, is listed once") {
      store in
      let cases: [(String, Int, ConnectionReason)] = [
        ("ada", 0, .invalidGrant), ("ada", 9, .invalidGrant), ("bob", 5, .invalidGrant),
        ("eve", 9, .unreadable),
        ("dan", 9, .invalidRAPT),
      ]
      for name in ["ada", "bob", "eve", "dan"] { _ = try await store.add(name) }
      for (name, offset, reason) in cases {
        try await store.connect(UserID("user_" + name))
        let aside = VaultChange.SecretChange.setAside(at: noon + .seconds(offset), because: reason)
        try await store.change(UserID("user_" + name), VaultChange(secret: aside))
      }
      #expect(
        Set(try await store.vault.setAside(since: noon + .seconds(5)))
          == Set([UserID("user_ada"), UserID("user_bob")]))
      #expect(try await store.vault.setAside(since: noon).count == 2)
      #expect(try await store.vault.setAside(since: noon + .seconds(6)) == [UserID("user_ada")])
    },
    Promise("What was set aside before a moment is destroyed, and what was at it stays") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      for (id, offset) in [(ada, 0), (bob, 1)] {
        try await store.connect(id)
        let aside = VaultChange.SecretChange.setAside(at: noon + .seconds(offset), because: .invalidGrant)
        try await store.change(id, VaultChange(secret: aside))
      }
      try await store.vault.discardAsides(before: noon + .seconds(1))
      #expect(try await store.vault.read(ada).aside == nil)
      #expect(try await store.vault.read(bob).aside?.since == noon + .seconds(1))
      try await store.change(ada, VaultChange(secret: .restoreAside))
      #expect(try await store.vault.read(ada).secret.isNone)
    },
  ]

  private static let unreadable: [Promise] = [
    Promise("A value that does not open is unusable, and its record stays") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.corruptSecret(id)
      for snapshot in [try await store.vault.read(id), try await store.vault.update(id) { (.none, $0) }] {
        #expect(snapshot.secret.isUnusable && snapshot.connection == .sample() && snapshot.aside == nil)
      }
    },
    Promise("Tokens put over a value that does not open are read, and that value never is") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.corruptSecret(id)
      let tokens = OAuthTokens.sample(access: "ya29.other")
      try await store.change(id, VaultChange(secret: .put(tokens), discardsAsides: true))
      #expect(try await store.vault.read(id).secret.tokens == tokens)
      try await store.change(id, VaultChange(secret: .remove))
      #expect(try await store.vault.read(id).aside == nil)
    },
    Promise("A value that does not open leaves its name when set aside, and is not offered again") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.corruptSecret(id)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      let snapshot = try await store.vault.read(id)
      #expect(snapshot.secret.isNone && snapshot.aside == nil)
      #expect(try await store.vault.setAside(since: noon).isEmpty)
      try await store.change(id, VaultChange(secret: .restoreAside))
      #expect(try await store.vault.read(id).secret.isNone)
    },
  ]
}
