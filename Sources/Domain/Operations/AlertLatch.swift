import Primitives
import Synchronization

/// Says each thing that only the operator can mend once, until it is mended.
package final class AlertLatch: Sendable {
  /// What can need the operator.
  package enum Condition: Sendable, Hashable {
    /// Google does not accept this client ID of ours.
    case clientRefused(GoogleClientID)
    /// Google says that a grant belongs to another client than this one.
    case grantRefused(GoogleClientID)
    /// A grant was made with a client ID or at a Google that is not configured now.
    case grantOfAnotherConfiguration
    /// Many grants seem to die at once; deaths are not believed at present.
    case waveOfDeaths
    /// A lease could not be given up; it ends by itself.
    case leaseNotReleased
    /// A refresh worked, and could not be counted.
    case refreshNotCounted
  }

  private let log: Log
  /// What stands, and the users that it was met with.
  private let raised = Mutex<[Condition: Set<UserID>]>([:])

  /// A latch that speaks into `log`.
  package init(log: Log) { self.log = log }

  /// Logs `condition`, met with `user`, as an alert, unless it stands already.
  package func raise(_ condition: Condition, of user: UserID? = nil) {
    let stands = raised.withLock { raised in
      defer { raised[condition, default: []].formUnion([user].compactMap(\.self)) }
      return raised[condition] != nil
    }
    if !stands { tell(condition) }
  }

  private func tell(_ condition: Condition) {
    switch condition {
    case .clientRefused:
      log.alert(
        "google_client_misconfigured",
        [("advice", "Google refuses our client ID. Users stay connected; check --google-client-id.")])
    case .grantRefused:
      log.alert(
        "google_client_misconfigured",
        [
          (
            "advice",
            "Google says a grant belongs to another client ID. It is kept; check --google-client-id."
          )
        ])
    case .grantOfAnotherConfiguration:
      log.alert(
        "grant_of_another_configuration",
        [("advice", "A connection was made with a client ID or base URL that is not configured. It is kept.")]
      )
    case .waveOfDeaths:
      log.alert(
        "wave_of_invalid_grant",
        [
          (
            "advice",
            "Many grants ended at once. None is removed until refreshes succeed again; check Google."
          )
        ])
    case .leaseNotReleased: log.warning("lease_not_released")
    case .refreshNotCounted: log.warning("refresh_not_counted")
    }
  }

  /// Logs what heals by itself.
  package func note(_ condition: Condition) {
    raise(condition)
    clear(condition)
  }

  /// Lets `condition` be raised again.
  package func clear(_ condition: Condition) { raised.withLock { $0[condition] = nil } }

  /// Lets `condition` be raised again if it was met with `user`: that others fare well says nothing about it.
  package func clear(_ condition: Condition, of user: UserID) {
    raised.withLock { raised in
      if raised[condition]?.contains(user) ?? false { raised[condition] = nil }
    }
  }
}
