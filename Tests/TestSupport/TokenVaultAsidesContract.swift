import Domain
import Primitives
import Testing

/// What every `TokenVault` promises of values that are set aside.
package enum TokenVaultAsidesContract {
  /// The promises.
  package static let promises: [Promise] = readable + unreadable

  private static let noon = StoreFixture.noon

  private static let readable: [Promise] = [
    Promise("A secret that is set aside leaves its name and is kept with its time") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      for snapshot in [try await store.vault.read(id), try await store.vault.update(id) { (.none, $0) }] {
        #expect(snapshot.secret.isNone && snapshot.connection == .sample())
        #expect(snapshot.aside?.tokens == .sample() && snapshot.aside?.since == noon)
      }
    },
    Promise("Setting aside where there is nothing does nothing") { store in
      let id = try await store.add("ada")
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      #expect(try await store.vault.read(id).aside == nil)
      #expect(try await store.vault.setAside(since: noon).isEmpty)
    },
    Promise("What is aside is looked up only while there is no secret") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      try await store.connect(id)
      #expect(try await store.vault.read(id).aside == nil)
      #expect(try await store.vault.update(id) { (.none, $0.aside == nil) })
      try await store.change(id, VaultChange(secret: .remove))
      #expect(try await store.vault.read(id).aside?.tokens == .sample())
    },
    Promise("Of several values aside the newest is found, of one time the last") { store in
      let id = try await store.add("ada")
      for (access, offset) in [("ya29.new", 5), ("ya29.old", 1), ("ya29.last", 5)] {
        try await store.connect(id, tokens: .sample(access: access))
        let moment = noon + .seconds(offset)
        try await store.change(id, VaultChange(secret: .setAside(at: moment, because: .invalidGrant)))
        let expected = access == "ya29.old" ? "ya29.new" : access
        #expect(try await store.vault.read(id).aside?.tokens == .sample(access: expected))
      }
    },
    Promise("A change can put what is aside back and destroy the rest, and only that user's") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      for id in [ada, bob] {
        try await store.connect(id)
        try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidGrant)))
      }
      try await store.change(ada, VaultChange(secret: .put(.sample()), discardsAsides: true))
      #expect(try await store.vault.read(ada).secret.tokens == .sample())
      try await store.change(ada, VaultChange(secret: .remove))
      #expect(try await store.vault.read(ada).aside == nil)
      #expect(try await store.vault.read(bob).aside?.tokens == .sample())
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
      #expect(try await store.vault.read(bob).aside?.tokens == .sample())
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
      try await store.connect(id, tokens: .sample(access: "ya29.older"))
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .invalidRAPT)))
      try await store.connect(id)
      try await store.corruptSecret(id)
      let later = noon + .seconds(1)
      try await store.change(id, VaultChange(secret: .setAside(at: later, because: .invalidGrant)))
      let snapshot = try await store.vault.read(id)
      #expect(snapshot.secret.isNone && snapshot.aside?.tokens == .sample(access: "ya29.older"))
      #expect(try await store.vault.setAside(since: noon).isEmpty)
    },
  ]
}
