import Primitives

/// Lets go of a user's Google account (DESIGN 3.5). Repeating it is fine.
package struct DisconnectGmail: Sendable {
  /// What became of the grant at Google.
  package enum Revocation: Sendable, Hashable {
    /// Google has revoked it.
    case revoked
    /// Somebody else holds the account, or there was nothing to revoke.
    case notNeeded
    /// Google cannot be reached; it is queued.
    case pending
  }

  private let vault: any TokenVault
  private let revoker: RevokeGrants
  private let configuration: GoogleConfiguration
  private let time: TimeSource
  private let random: RandomSource

  /// Disconnects in `vault`.
  package init(
    vault: any TokenVault, revoker: RevokeGrants, configuration: GoogleConfiguration, time: TimeSource,
    random: RandomSource
  ) {
    self.vault = vault
    self.revoker = revoker
    self.configuration = configuration
    self.time = time
    self.random = random
  }

  /// The connection, its identity and whatever was set aside are gone when this returns, and what Google
  /// is still owed is durable.
  package func callAsFunction(_ user: UserID) async throws(StoreError) -> Revocation {
    let (now, orderID, baseURL) = (time.now(), random.token128(), configuration.baseURL)
    let owes = try await vault.update(user) { stored in
      let order = stored.secret.tokens?.revocationOrder(id: orderID, now: now, baseURL: baseURL)
      // A grant that was set aside may be alive all the same; it is let go of too.
      let aside = stored.aside.map { _ in
        AsideRevocation(id: orderID, queuedAt: now, googleBaseURL: baseURL)
      }
      let change = VaultChange(
        secret: .remove, connection: .forget, discardsAsides: true, revocation: order, asideRevocation: aside)
      return (change, order != nil || aside != nil)
    }
    guard owes else { return .notNeeded }
    do throws(StoreError) { return try await revoker.attempt(orderID) } catch {
      // The disconnect is done and the order durable; the sweep goes on with it.
      return .pending
    }
  }
}
