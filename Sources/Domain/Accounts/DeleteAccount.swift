import Primitives

/// Removes a user for good: lets go of Google first, then of everything that is kept.
package struct DeleteAccount: Sendable {
  private let users: any UserStore
  private let disconnect: DisconnectGmail

  /// Deletes from `users` after `disconnect` let go of their Google account.
  package init(users: any UserStore, disconnect: DisconnectGmail) {
    self.users = users
    self.disconnect = disconnect
  }

  /// Nothing of the user is left when this returns, but a revocation still owed to Google.
  package func callAsFunction(_ user: UserID) async throws(StoreError) {
    // An upload may slip in between; then there is something to let go of again.
    repeat {
      _ = try await disconnect(user)
    } while try await !users.remove(user)
  }
}
