import Domain
import Primitives
import Testing

/// What every `TokenVault` promises of leases.
package enum RefreshLeaseContract {
  private static let noon = StoreFixture.noon
  private static let soon = noon + .seconds(60)

  /// The promises.
  package static let promises: [Promise] = [
    Promise("The first lease has fencing number 1, and a snapshot shows it as it was taken") { store in
      let id = try await store.add("ada")
      let lease = try await store.lease(id, "a", now: noon, until: soon)
      #expect(lease == RefreshLease(owner: "a", fence: 1, expiresAt: soon))
      #expect(try await store.vault.read(id).lease == lease)
      #expect(try await store.vault.update(id) { (.none, $0.lease) } == lease)
    },
    Promise("A live lease holds everybody off, and on no other user") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      _ = try await store.lease(ada, "a", now: noon, until: soon)
      for owner in ["a", "b"] {
        #expect(try await store.lease(ada, owner, now: noon + .seconds(59), until: soon) == nil)
      }
      #expect(try await store.lease(bob, "b", now: noon, until: soon)?.fence == 1)
    },
    Promise("A lease that ended is followed by one with the next number") { store in
      let id = try await store.add("ada")
      _ = try await store.lease(id, "a", now: noon, until: soon)
      let next = try await store.lease(id, "b", now: soon, until: soon + .seconds(60))
      #expect(next == RefreshLease(owner: "b", fence: 2, expiresAt: soon + .seconds(60)))
    },
    Promise("A lease that was given up is followed at once, and stays known till then") { store in
      let id = try await store.add("ada")
      let first = try #require(try await store.lease(id, "a", now: noon, until: soon))
      try await store.vault.release(first, on: id)
      let released = try #require(try await store.vault.read(id).lease)
      #expect(released.fence == 1 && !released.isLive(at: noon))
      #expect(try await store.lease(id, "b", now: noon, until: soon)?.fence == 2)
    },
    Promise("Giving up a lease that is not the newest, or of nobody, does nothing") { store in
      let id = try await store.add("ada")
      let first = try #require(try await store.lease(id, "a", now: noon, until: soon))
      let second = try await store.lease(id, "b", now: soon, until: soon + .seconds(60))
      try await store.vault.release(first, on: id)
      try await store.vault.release(first, on: UserID("user_nobody"))
      #expect(try await store.vault.read(id).lease == second)
    },
    Promise("An expiry more than 120 seconds ahead counts as past") { store in
      let id = try await store.add("ada")
      _ = try await store.lease(id, "a", now: noon + .seconds(9999), until: noon + .seconds(10_060))
      #expect(try await store.lease(id, "b", now: noon, until: noon + .seconds(120))?.fence == 2)
      #expect(try await store.lease(id, "c", now: noon, until: soon) == nil)
    },
    Promise("Fencing numbers go on after a disconnect") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      let first = try #require(try await store.lease(id, "a", now: noon, until: soon))
      try await store.vault.release(first, on: id)
      try await store.change(id, VaultChange(secret: .remove, connection: .forget, discardsAsides: true))
      try await store.connect(id)
      #expect(try await store.lease(id, "b", now: noon, until: soon)?.fence == 2)
    },
    Promise("There is no lease for a user who does not exist") { (store) async throws in
      await #expect(throws: StoreError.noSuchUser) {
        _ = try await store.lease(UserID("user_nobody"), "a", now: noon, until: soon)
      }
    },
    Promise("Of many who ask at once exactly one gets the lease") { store in
      let id = try await store.add("ada")
      let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
        for index in 0..<20 {
          group.addTask { try await store.lease(id, "owner-\(index)", now: noon, until: soon) != nil }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    },
  ]
}

extension StoreFixture {
  /// The lease; nil when another's is live.
  package func lease(_ user: UserID, _ owner: String, now: Timestamp, until expiry: Timestamp) async throws
    -> RefreshLease?
  {
    switch try await vault.acquireLease(on: user, owner: owner, now: now, until: expiry) {
    case .acquired(let lease): lease
    case .held: nil
    }
  }
}
