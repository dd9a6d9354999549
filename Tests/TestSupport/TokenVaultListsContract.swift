import Domain
import Primitives
import Testing

/// What every `TokenVault` promises of its lists.
package enum TokenVaultListsContract {
  private static let noon = StoreFixture.noon

  /// The promises.
  package static let promises: [Promise] = [
    Promise("Grants that are due are listed, longest overdue first, up to the limit") { store in
      for (name, offset) in [("ada", -5), ("bob", 0), ("eve", 1), ("dan", -9)] {
        let id = try await store.add(name)
        try await store.connect(id, record: .sample(nextUseAt: noon + .seconds(offset)))
      }
      let due = try await store.vault.dueForUse(at: noon, limit: 9)
      #expect(due.map(\.rawValue) == ["user_dan", "user_ada", "user_bob"])
      #expect(try await store.vault.dueForUse(at: noon, limit: 2) == Array(due.prefix(2)))
    },
    Promise("A use that a wrong clock put off by more than a day is due, after those that are overdue") {
      store in
      for (name, offset) in [("ada", 86_401), ("bob", -1), ("eve", 86_399)] {
        let id = try await store.add(name)
        try await store.connect(id, record: .sample(nextUseAt: noon + .seconds(offset)))
      }
      #expect(
        try await store.vault.dueForUse(at: noon, limit: 9).map(\.rawValue) == ["user_bob", "user_ada"])
      #expect(try await store.vault.dueForUse(at: noon, limit: 1).map(\.rawValue) == ["user_bob"])
    },
    Promise("A connection without a next use is never due") { store in
      let id = try await store.add("ada")
      var record = GmailConnection.sample()
      record.nextUseAt = nil
      try await store.connect(id, record: record)
      #expect(try await store.vault.dueForUse(at: Timestamp(microseconds: .max), limit: 9).isEmpty)
    },
    Promise("Limited connections that have ended are listed, longest ended first, and no others") { store in
      let cases: [(String, ConnectionStatus, Int)] = [
        ("ada", .limited, -5), ("bob", .limited, 0), ("eve", .limited, 1), ("dan", .connected, -9),
        ("flo", .needsReconnect, -9), ("gil", .limited, -9),
      ]
      for (name, status, offset) in cases {
        let id = try await store.add(name)
        let record = GmailConnection.sample(status: status, accessExpiresAt: noon + .seconds(offset))
        try await store.connect(id, record: record)
      }
      let spent = try await store.vault.spent(at: noon, limit: 9)
      #expect(spent.map(\.rawValue) == ["user_gil", "user_ada", "user_bob"])
      #expect(try await store.vault.spent(at: noon, limit: 1) == Array(spent.prefix(1)))
    },
    Promise("The operator's list has every user, by folded e-mail, with the connection there is") { store in
      for name in ["bob", "Ada", "eve"] { _ = try await store.add(name) }
      try await store.connect(UserID("user_bob"))
      try await store.connect(UserID("user_eve"))
      try await store.change(UserID("user_eve"), VaultChange(secret: .remove, connection: .forget))
      let list = try await store.vault.connections()
      #expect(list.map(\.user.name) == ["Ada", "bob", "eve"])
      #expect(list.map(\.connection) == [nil, .sample(), nil])
    },
  ]
}
