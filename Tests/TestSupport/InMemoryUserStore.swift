import Domain
import Primitives

/// Users in memory.
package struct InMemoryUserStore: UserStore {
  private let store: InMemoryStore

  /// The users of `store`.
  package init(_ store: InMemoryStore) { self.store = store }

  package func add(_ user: User) async throws(StoreError) -> Bool {
    try store.transaction { (state) throws(StoreError) in
      let folded = EmailAddress.fold(user.email)
      let isTaken = state.users.values.contains {
        $0.id == user.id || $0.email == user.email || EmailAddress.fold($0.email) == folded
      }
      if !isTaken { state.users[user.id] = user }
      return !isTaken
    }
  }

  package func user(withEmail email: EmailAddress) async throws(StoreError) -> User? {
    try store.transaction { (state) throws(StoreError) in
      state.users.values.first { $0.email == email.typed }
        ?? state.users.values.first { EmailAddress.fold($0.email) == email.folded }
    }
  }

  package func user(_ id: UserID) async throws(StoreError) -> User? {
    try store.transaction { (state) throws(StoreError) in state.users[id] }
  }

  package func profile(of id: UserID) async throws(StoreError) -> Profile? {
    try store.transaction { (state) throws(StoreError) in
      state.users[id].map { Profile(user: $0, connection: state.connections[id]) }
    }
  }

  package func setPassword(_ hash: Secret, of id: UserID, sessionsValidFrom: Timestamp)
    async throws(StoreError)
  {
    try store.transaction { (state) throws(StoreError) in
      guard let old = state.users[id] else { throw .noSuchUser }
      state.users[id] = User(
        id: id, email: old.email, name: old.name, passwordHash: hash, createdAt: old.createdAt,
        sessionsValidFrom: sessionsValidFrom)
    }
  }

  package func users(after last: UserID?, limit: Int) async throws(StoreError) -> UserPage {
    try store.transaction { (state) throws(StoreError) in
      let users = state.users.values.sorted { $0.id.rawValue < $1.id.rawValue }
      let following = users.drop { user in last.map { user.id.rawValue <= $0.rawValue } ?? false }
      return UserPage(Array(following.prefix(limit)), limit: limit)
    }
  }

  package func remove(_ id: UserID) async throws(StoreError) -> Bool {
    try store.transaction { (state) throws(StoreError) in
      guard state.secrets[id] == nil else { return false }
      state.users[id] = nil
      state.connections[id] = nil
      state.leases[id] = nil
      state.asides.removeAll { $0.user == id }
      state.refreshes.removeAll { $0.user == id }
      return true
    }
  }
}
