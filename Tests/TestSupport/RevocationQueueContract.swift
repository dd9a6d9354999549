import Domain
import Primitives
import Testing

/// What every `RevocationQueue` promises, together with the vault that fills it.
package enum RevocationQueueContract {
  /// The promises.
  package static let promises: [Promise] = beginning + holding + finishing

  private static let noon = StoreFixture.noon
  private static let account = GoogleSubject("sub-1")

  private static let beginning: [Promise] = [
    Promise("A queued order is due at once, and begins with all that was queued") { store in
      let id = try await store.add("ada")
      try await store.queue(.sample("order-1"), by: id)
      #expect(try await store.revocations.due(at: noon - .microseconds(1), limit: 9).isEmpty)
      #expect(try await store.revocations.due(at: noon, limit: 9) == ["order-1"])
      #expect(try await store.revocations.begin("order-1", at: noon).order == .sample("order-1"))
    },
    Promise("Due orders come longest overdue first, up to the limit") { store in
      let id = try await store.add("ada")
      for (order, offset) in [("c", 3), ("a", 1), ("b", 2), ("z", 99)] {
        try await store.queue(.sample(order, queuedAt: noon + .seconds(offset)), by: id)
      }
      #expect(try await store.revocations.due(at: noon + .seconds(3), limit: 9) == ["a", "b", "c"])
      #expect(try await store.revocations.due(at: noon + .seconds(3), limit: 2) == ["a", "b"])
    },
    Promise("An order that nobody queued is gone") { store in
      let start = try await store.revocations.begin("order-1", at: noon)
      #expect(start.isGone)
    },
    Promise("Beginning marks the account, and another order of it is busy until 60 seconds have passed") {
      store in
      let id = try await store.add("ada")
      for order in ["order-1", "order-2"] { try await store.queue(.sample(order), by: id) }
      _ = try await store.revocations.begin("order-1", at: noon)
      #expect(try await store.mark(of: account, seenBy: id) == RevocationMark(startedAt: noon, endedAt: nil))
      for order in ["order-1", "order-2"] {
        #expect(try await store.revocations.begin(order, at: noon + .seconds(59)).isBusy)
      }
      let late = noon + RevocationMark.longestRun
      #expect(try await store.revocations.begin("order-2", at: late).order == .sample("order-2"))
      #expect(try await store.mark(of: account, seenBy: id) == RevocationMark(startedAt: late, endedAt: nil))
    },
    Promise("Of many who begin one order at once exactly one is to revoke") { store in
      let id = try await store.add("ada")
      try await store.queue(.sample("order-1"), by: id)
      let marked = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<20 {
          group.addTask { try await store.revocations.begin("order-1", at: noon).order != nil }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(marked == 1)
    },
  ]

  private static let holding: [Promise] = [
    Promise("An order whose account somebody holds is dropped, and sets no mark") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      try await store.connect(bob)
      try await store.queue(.sample("order-1"), by: ada)
      #expect(try await store.revocations.begin("order-1", at: noon).isHeld)
      #expect(try await store.revocations.begin("order-1", at: noon).isGone)
      #expect(try await store.revocations.due(at: noon, limit: 9).isEmpty)
      #expect(try await store.mark(of: account, seenBy: ada) == nil)
    },
    Promise("A change that removes the secret and queues its revocation lets the account go") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      let change = VaultChange(secret: .remove, connection: .forget, revocation: .sample("order-1"))
      try await store.change(id, change)
      #expect(try await store.revocations.begin("order-1", at: noon).order != nil)
    },
    Promise("Whoever switches holds the new account and no longer the old") { store in
      let id = try await store.add("ada")
      try await store.connect(id, account: "sub-1")
      try await store.connect(id, account: "sub-2")
      try await store.queue(.sample("order-1", account: "sub-1"), by: id)
      try await store.queue(.sample("order-2", account: "sub-2"), by: id)
      #expect(try await store.revocations.begin("order-1", at: noon).order != nil)
      #expect(try await store.revocations.begin("order-2", at: noon).isHeld)
    },
    Promise("An account stays held while one of two users has it") { store in
      let (ada, bob) = (try await store.add("ada"), try await store.add("bob"))
      for id in [ada, bob] { try await store.connect(id) }
      try await store.change(ada, VaultChange(secret: .remove, revocation: .sample("order-1")))
      #expect(try await store.revocations.begin("order-1", at: noon).isHeld)
      try await store.change(bob, VaultChange(secret: .remove, revocation: .sample("order-2")))
      #expect(try await store.revocations.begin("order-2", at: noon).order != nil)
    },
    Promise("A value that does not open still holds its account, and one set aside does not") { store in
      let id = try await store.add("ada")
      try await store.connect(id)
      try await store.corruptSecret(id)
      try await store.queue(.sample("order-1"), by: id)
      #expect(try await store.revocations.begin("order-1", at: noon).isHeld)
      try await store.change(id, VaultChange(secret: .setAside(at: noon, because: .unreadable)))
      try await store.queue(.sample("order-2"), by: id)
      #expect(try await store.revocations.begin("order-2", at: noon).order != nil)
    },
  ]

  private static let finishing: [Promise] = [
    Promise("A finished order is gone, and its mark stays, ended") { store in
      let id = try await store.add("ada")
      try await store.queue(.sample("order-1"), by: id)
      _ = try await store.revocations.begin("order-1", at: noon)
      try await store.revocations.finish(.sample("order-1"), at: noon + .seconds(2), retryAt: nil)
      let mark = RevocationMark(startedAt: noon, endedAt: noon + .seconds(2))
      #expect(try await store.mark(of: account, seenBy: id) == mark)
      #expect(try await store.revocations.begin("order-1", at: noon + .seconds(3)).isGone)
      #expect(try await store.revocations.due(at: noon + .seconds(999), limit: 9).isEmpty)
    },
    Promise("An order that failed waits for its next attempt, and its mark has ended all the same") { store in
      let id = try await store.add("ada")
      try await store.queue(.sample("order-1"), by: id)
      _ = try await store.revocations.begin("order-1", at: noon)
      let retry = noon + .seconds(60)
      try await store.revocations.finish(.sample("order-1"), at: noon + .seconds(2), retryAt: retry)
      #expect(try await store.mark(of: account, seenBy: id)?.endedAt == noon + .seconds(2))
      #expect(try await store.revocations.due(at: retry - .seconds(1), limit: 9).isEmpty)
      #expect(try await store.revocations.due(at: retry, limit: 9) == ["order-1"])
      #expect(try await store.revocations.begin("order-1", at: retry).order == .sample("order-1"))
    },
    Promise("A revoker that comes late does not end the mark of the one after it") { store in
      let id = try await store.add("ada")
      for order in ["order-1", "order-2"] { try await store.queue(.sample(order), by: id) }
      _ = try await store.revocations.begin("order-1", at: noon)
      let late = noon + RevocationMark.longestRun
      _ = try await store.revocations.begin("order-2", at: late)
      try await store.revocations.finish(.sample("order-1"), at: late + .seconds(1), retryAt: nil)
      #expect(try await store.mark(of: account, seenBy: id) == RevocationMark(startedAt: late, endedAt: nil))
    },
    Promise("An ended mark is remembered for an hour, and forgotten by the next revocation after it") {
      store in
      let id = try await store.add("ada")
      for order in ["order-1", "order-2", "order-3"] {
        let account = order == "order-1" ? "sub-1" : "sub-" + order
        try await store.queue(.sample(order, account: account), by: id)
      }
      _ = try await store.revocations.begin("order-1", at: noon)
      try await store.revocations.finish(.sample("order-1"), at: noon, retryAt: nil)
      _ = try await store.revocations.begin("order-2", at: noon + .seconds(3599))
      #expect(try await store.mark(of: account, seenBy: id) != nil)
      _ = try await store.revocations.begin("order-3", at: noon + .seconds(3600))
      #expect(try await store.mark(of: account, seenBy: id) == nil)
    },
  ]
}

extension RevocationStart {
  /// The order, when its account was marked.
  package var order: RevocationOrder? { if case .marked(let order) = self { order } else { nil } }
  /// Whether somebody holds the account.
  package var isHeld: Bool { if case .held = self { true } else { false } }
  /// Whether there is no such order.
  package var isGone: Bool { if case .gone = self { true } else { false } }
  /// Whether another revoker is at it.
  package var isBusy: Bool { if case .busy = self { true } else { false } }
}
