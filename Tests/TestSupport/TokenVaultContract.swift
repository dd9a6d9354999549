import Domain
import Primitives
import Testing

/// What every `TokenVault` promises of secrets and records. Its other promises are in
/// ``TokenVaultAsidesContract``, ``RefreshLeaseContract`` and ``TokenVaultListsContract``.
package enum TokenVaultContract {
  /// The promises.
  package static let promises: [Promise] = writing + changing

  private static let writing: [Promise] = [
    Promise("Who never connected, and who does not exist, has an empty snapshot") { store in
      for id in [try await store.add("ada"), UserID("user_nobody")] {
        let snapshot = try await store.vault.read(id)
        #expect(snapshot.connection == nil && snapshot.lease == nil && snapshot.aside == nil)
        #expect(snapshot.revocation == nil && snapshot.secret.isNone)
      }
    },
    Promise("A change for a user who does not exist fails with noSuchUser and leaves nothing") {
      (store) async throws in
      let id = UserID("user_nobody")
      await #expect(throws: StoreError.noSuchUser) { try await store.connect(id) }
      #expect(try await store.vault.read(id).secret.isNone)
    },
    Promise("Tokens and record are read as they were put, whether every field is set or none") { store in
      let (full, bare) = (try await store.add("ada"), try await store.add("bob"))
      try await store.connect(full)
      let tokens = OAuthTokens(
        accessToken: GoogleAccessToken(Secret("a")), refreshToken: nil, expiresAt: StoreFixture.noon,
        expiresIn: 0, scopes: GrantedScopes("x"), writtenAt: StoreFixture.noon,
        account: GoogleAccount(subject: GoogleSubject(""), email: "", name: "", emailVerified: false),
        clientID: nil, googleBaseURL: nil, grantID: nil, fence: 0)
      let record = GmailConnection(
        account: tokens.account, recordedStatus: .limited, scopes: GrantedScopes(""),
        connectedAt: StoreFixture.noon,
        accessExpiresAt: StoreFixture.noon, grantID: GrantID(""))
      try await store.connect(bare, tokens: tokens, record: record)
      for _ in 0..<2 {
        let first = try await store.vault.read(full)
        #expect(first.secret.tokens == .sample() && first.connection == .sample())
        let second = try await store.vault.read(bare)
        #expect(second.secret.tokens == tokens && second.connection == record)
      }
    },
    Promise("An update decides upon what is stored, and gives what it decided") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      let seen = try await store.vault.update(id) { (VaultChange.none, ($0.secret.tokens, $0.connection)) }
      #expect(seen.0 == .sample() && seen.1 == .sample())
    },
    Promise("A grant goes by its own id, else by a store version that changes with every put") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      #expect(try await store.vault.read(id).secret.grantID == GrantID("grant-1"))
      let nameless = OAuthTokens.sample(grantID: nil)
      try await store.connect(id, tokens: nameless)
      let first = try await store.vault.read(id).secret
      #expect(first.tokens?.grantID == nil && first.grantID?.rawValue.isEmpty == false)
      #expect(try await store.vault.update(id) { (.none, $0.secret.grantID) } == first.grantID)
      try await store.connect(id, tokens: nameless)
      #expect(try await store.vault.read(id).secret.grantID != first.grantID)
    },
    Promise("Updates that come at once each decide upon what the one before made") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            try await store.vault.update(id) { stored in
              let fence = (stored.secret.tokens?.fence ?? -1000) + 1
              return (VaultChange(secret: .put(.sample(fence: fence))), ())
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.vault.read(id).secret.tokens?.fence == 50)
    },
    Promise("An update sees the revocation mark of the account it names, and of no other") { store in
      let id = try await store.add("ada")
      try await store.queue(.sample("order-1", account: "sub-9"), by: id)
      _ = try await store.revocations.begin("order-1", at: StoreFixture.noon)
      let mark = RevocationMark(startedAt: StoreFixture.noon, endedAt: nil)
      #expect(try await store.mark(of: GoogleSubject("sub-9"), seenBy: id) == mark)
      #expect(try await store.mark(of: GoogleSubject("sub-1"), seenBy: id) == nil)
      #expect(try await store.vault.update(id) { (.none, $0.revocation) } == nil)
    },
  ]

  private static let changing: [Promise] = [
    Promise("What a change does not mention stays") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.change(id, .none)
      var record = GmailConnection.sample()
      record.reason = nil
      try await store.change(id, VaultChange(connection: .put(record)))
      let afterRecord = try await store.vault.read(id)
      #expect(afterRecord.secret.tokens == .sample() && afterRecord.connection == record)
      let tokens = OAuthTokens.sample(access: "ya29.other")
      try await store.change(id, VaultChange(secret: .put(tokens)))
      let afterSecret = try await store.vault.read(id)
      #expect(afterSecret.secret.tokens == tokens && afterSecret.connection == record)
    },
    Promise("Removing the secret keeps the record, and forgetting the record keeps the secret") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      try await store.connect(ada)
      try await store.change(ada, VaultChange(secret: .remove))
      let removed = try await store.vault.read(ada)
      #expect(removed.secret.isNone && removed.connection == .sample() && removed.aside == nil)
      try await store.connect(bob)
      try await store.change(bob, VaultChange(connection: .forget))
      let forgotten = try await store.vault.read(bob)
      #expect(forgotten.secret.tokens == .sample() && forgotten.connection == nil)
      try await store.change(bob, VaultChange(connection: .put(.sample())))
      #expect(try await store.vault.read(bob).secret.tokens == .sample())
    },
    Promise("Tokens may be put where there is no record") { store in
      let id = try await store.add("ada")
      try await store.change(id, VaultChange(secret: .put(.sample())))
      let snapshot = try await store.vault.read(id)
      #expect(snapshot.secret.tokens == .sample() && snapshot.connection == nil)
    },
    Promise("A change of one user leaves every other's alone") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      try await store.connect(ada)
      try await store.connect(bob)
      try await store.change(ada, VaultChange(secret: .remove, connection: .forget, discardsAsides: true))
      let snapshot = try await store.vault.read(bob)
      #expect(snapshot.secret.tokens == .sample() && snapshot.connection == .sample())
    },
    Promise("A connection that was forgotten and made again is read as it was made last") { store in
      let id = try await store.add("ada")
      for access in ["ya29.1", "ya29.2", "ya29.3"] {
        let tokens = OAuthTokens.sample(access: access)
        try await store.connect(id, tokens: tokens)
        #expect(try await store.vault.read(id).secret.tokens == tokens)
        try await store.change(id, VaultChange(secret: .remove, connection: .forget))
        #expect(try await store.vault.read(id).secret.isNone)
      }
    },
  ]
}

extension StoredSecret {
  /// Whether there is no value at all.
  package var isNone: Bool { if case .none = self { true } else { false } }
  /// Whether there is a value that is of no use.
  package var isUnusable: Bool { if case .unusable = self { true } else { false } }
}
