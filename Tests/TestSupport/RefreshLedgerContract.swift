import Domain
import Primitives
import Testing

/// What every `RefreshLedger` promises.
package enum RefreshLedgerContract {
  private static let noon = StoreFixture.noon

  /// The promises.
  package static let promises: [Promise] = [
    Promise("A result is counted and included in what is given") { store in
      let ids = [UserID("user_1"), UserID("user_2")]
      #expect(
        try await store.ledger.record(.died, of: ids[0], at: noon)
          == RefreshStatistics(refreshes: 1, deaths: 1, usersDied: 1, brakeSince: nil))
      _ = try await store.ledger.record(.died, of: ids[0], at: noon)
      _ = try await store.ledger.record(.died, of: ids[1], at: noon)
      #expect(
        try await store.ledger.record(.succeeded, of: ids[1], at: noon)
          == RefreshStatistics(refreshes: 4, deaths: 3, usersDied: 2, brakeSince: nil))
    },
    Promise("What is an hour old no longer counts, and what is a moment younger does") { store in
      let id = UserID("user_1")
      _ = try await store.ledger.record(.died, of: id, at: noon)
      _ = try await store.ledger.record(.died, of: id, at: noon + .microseconds(1))
      #expect(try await store.ledger.record(.succeeded, of: id, at: noon + .seconds(3600)).deaths == 1)
    },
    Promise("The brake is off, then on since it was put on, and put on by one call alone") { store in
      #expect(try await store.ledger.brakeSince() == nil)
      let engaged = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<10 { group.addTask { try await store.ledger.engageBrake(at: noon) } }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(engaged == 1)
      #expect(try await !store.ledger.engageBrake(at: noon + .seconds(1)))
      #expect(try await store.ledger.brakeSince() == noon)
      let statistics = try await store.ledger.record(.died, of: UserID("user_1"), at: noon + .seconds(2))
      #expect(statistics.brakeSince == noon)
    },
    Promise("Taking the brake off tells since when it was on, and forgets the counts") { store in
      let id = UserID("user_1")
      _ = try await store.ledger.record(.died, of: id, at: noon)
      _ = try await store.ledger.engageBrake(at: noon)
      #expect(try await store.ledger.releaseBrake() == noon)
      #expect(try await store.ledger.brakeSince() == nil)
      #expect(
        try await store.ledger.record(.succeeded, of: id, at: noon)
          == RefreshStatistics(refreshes: 1, deaths: 0, usersDied: 0, brakeSince: nil))
      #expect(try await store.ledger.engageBrake(at: noon + .seconds(1)))
    },
    Promise("Taking off a brake that is not on changes nothing") { store in
      _ = try await store.ledger.record(.died, of: UserID("user_1"), at: noon)
      #expect(try await store.ledger.releaseBrake() == nil)
      #expect(try await store.ledger.record(.died, of: UserID("user_1"), at: noon).deaths == 2)
    },
  ]
}
