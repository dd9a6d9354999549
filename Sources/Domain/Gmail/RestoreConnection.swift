import Primitives

/// Puts a secret that was set aside back under its name, at the operator's word.
package struct RestoreConnection: Sendable {
  /// Why nothing was restored.
  package enum Refusal: Error, Sendable, Hashable {
    /// Nobody has that address.
    case unknownUser
    /// The connection has a secret in its place.
    case stillConnected
    /// Nothing usable is kept aside.
    case nothingAside
    /// The store gave no answer.
    case store(StoreError)
  }

  private let users: any UserStore
  private let vault: any TokenVault
  private let time: TimeSource

  /// Restores in `vault`.
  package init(users: any UserStore, vault: any TokenVault, time: TimeSource) {
    self.users = users
    self.vault = vault
    self.time = time
  }

  /// The connection of the user with that address is refreshable again when this returns; the next use tries it.
  package func callAsFunction(email: String) async throws(Refusal) {
    let now = time.now()
    let refusal: Refusal?
    do throws(StoreError) {
      guard let user = try await users.user(withEmail: EmailAddress(lookingUp: email)) else {
        throw .noSuchUser
      }
      refusal = try await vault.update(user.id) { stored in
        if stored.secret.hasTokens { return (.none, Refusal.stillConnected) }
        let change = stored.restoringAside(at: now, onProbation: false)
        if case .restoreAside = change.secret { return (change, nil) }
        return (change, .nothingAside)
      }
    } catch {
      throw error == .noSuchUser ? .unknownUser : .store(error)
    }
    if let refusal { throw refusal }
  }
}
