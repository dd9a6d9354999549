import Domain
import Primitives

extension InMemoryStore {
  /// How many values of `user` are kept aside that did not open.
  package func unreadableAsides(of user: UserID) -> Int? {
    inspect { state in state.asides.filter { $0.user == user && $0.tokens == nil }.count }
  }

  /// Whether anything at all is kept for `user`.
  package func knows(_ user: UserID) -> Bool? {
    inspect { state in
      state.users[user] != nil || state.connections[user] != nil || state.secrets[user] != nil
        || state.leases[user] != nil || state.asides.contains { $0.user == user }
        || state.refreshes.contains { $0.user == user }
    }
  }

  private func inspect<Answer: Sendable>(_ look: (State) -> Answer) -> Answer? {
    try? transaction { (state) throws(StoreError) in look(state) }
  }
}
