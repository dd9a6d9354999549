import Primitives

/// How a refresh ended, for the count that a wave of deaths is seen by.
package enum RefreshResult: String, Sendable, Hashable {
  /// Google gave a token.
  case succeeded
  /// Google said `invalid_grant`.
  case died
}

/// The refreshes of the last hour over all processes.
package struct RefreshStatistics: Sendable, Hashable {
  /// Refreshes that ended with a token or with `invalid_grant`.
  package let refreshes: Int
  /// How many of them ended with `invalid_grant`.
  package let deaths: Int
  /// Over how many users those deaths are spread.
  package let usersDied: Int
  /// Since when deaths are not believed; nil while they are.
  package let brakeSince: Timestamp?

  /// Statistics.
  package init(refreshes: Int, deaths: Int, usersDied: Int, brakeSince: Timestamp?) {
    self.refreshes = refreshes
    self.deaths = deaths
    self.usersDied = usersDied
    self.brakeSince = brakeSince
  }
}

/// Counts how refreshes end, and holds the brake on a wave of deaths, for all processes together.
package protocol RefreshLedger: Sendable {
  /// Counts a result, and gives the hour up to `now`, this result included.
  func record(_ result: RefreshResult, of user: UserID, at now: Timestamp) async throws(StoreError)
    -> RefreshStatistics

  /// Since when the brake is on; nil while it is off.
  func brakeSince() async throws(StoreError) -> Timestamp?

  /// Puts the brake on, unless it is; true when this call did it.
  func engageBrake(at now: Timestamp) async throws(StoreError) -> Bool

  /// Takes the brake off and forgets the counts; gives since when it was on. Nil, and nothing changed, when
  /// it was not on.
  func releaseBrake() async throws(StoreError) -> Timestamp?
}
