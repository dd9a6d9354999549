import Primitives

/// Why there is no access token.
package enum TokenRefusal: Error, Sendable, Hashable {
  /// The user never connected, or disconnected.
  case notConnected
  /// The person has to connect again.
  case needsReconnect(ConnectionReason)
  /// A Workspace admin or a policy refuses at present.
  case blocked(ConnectionReason)
  /// This installation's Google configuration is wrong; the connection is as it was.
  case operatorFault
  /// A refresh takes long, or Google cannot be asked; the connection is as it was.
  case temporarilyUnavailable(retryAfter: Duration)
  /// The store gave no answer.
  case store(StoreError)
}

/// Gives out access tokens that are alive, refreshing them when it must (DESIGN 3.4).
package final class TokenSource: Sendable {
  /// Whether a token that still has a few minutes is refreshed while its caller goes on.
  package enum Policy: Sendable {
    /// Refresh behind the caller.
    case refreshesBehind
    /// Never (where a process may be frozen after its answer, as in Lambda).
    case refreshesOnDemand
  }

  /// A token with no more than this beyond what its caller needs is refreshed ahead of time.
  package static let earlyRefresh: Duration = .seconds(5 * 60)
  /// How long a caller waits for a refresh.
  package static let patience: Duration = .seconds(25)
  /// When a caller who waited in vain should ask again.
  package static let retryAfter: Duration = .seconds(5)

  private let vault: any TokenVault
  private let flights: RefreshFlights
  private let policy: Policy
  private let time: TimeSource

  /// Gives out tokens from `vault`, refreshed by `refresh`.
  package init(vault: any TokenVault, refresh: RefreshGrant, policy: Policy, time: TimeSource) {
    self.vault = vault
    self.flights = RefreshFlights(refresh: refresh, time: time)
    self.policy = policy
    self.time = time
  }

  /// An access token of `user` that lives for `validFor` yet. `rejecting` names a token that Gmail just
  /// answered 401 to: that very token is not given out again.
  package func accessToken(
    for user: UserID, validFor: Duration = .seconds(60), rejecting rejected: GoogleAccessToken? = nil
  ) async throws(TokenRefusal) -> GoogleAccessToken {
    let stored: VaultSnapshot
    do throws(StoreError) { stored = try await vault.read(user) } catch { throw .store(error) }
    let need = TokenNeed(validFor: validFor, rejected: rejected)
    switch need.judge(stored, at: time.now()) {
    case .use(let token): return token
    case .useAndRefresh(let token):
      if policy == .refreshesBehind { flights.start(user, need: need.ahead(of: Self.earlyRefresh)) }
      return token
    case .refresh: return try await flights.join(user, need: need)
    case .refuse(let refusal): throw refusal
    }
  }

  /// Uses the grant of `user` once, whatever life its access token has: what the sweep does daily.
  package func useGrant(of user: UserID) async throws(TokenRefusal) {
    _ = try await flights.join(user, need: .freshToken)
  }

  /// Returns when no refresh is in the air: a process ends only then.
  package func drain() async { await flights.drain() }
}
