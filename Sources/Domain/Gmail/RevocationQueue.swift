import Primitives

/// A token that Google still has to be told to revoke.
package struct RevocationOrder: Sendable, Hashable {
  /// Names the order.
  package let id: String
  /// The account whose grant it is.
  package let subject: GoogleSubject
  /// The refresh token, or the access token where there is no other.
  package let token: Secret
  /// The Google that the token comes from.
  package let googleBaseURL: String
  /// Since when it is owed.
  package let queuedAt: Timestamp

  /// An order.
  package init(id: String, subject: GoogleSubject, token: Secret, googleBaseURL: String, queuedAt: Timestamp)
  {
    self.id = id
    self.subject = subject
    self.token = token
    self.googleBaseURL = googleBaseURL
    self.queuedAt = queuedAt
  }
}

/// Says that a Google account is being revoked, or was.
package struct RevocationMark: Sendable, Hashable {
  /// When the revoker began.
  package let startedAt: Timestamp
  /// When the revoker was done; nil while it is at it (or died at it).
  package let endedAt: Timestamp?

  /// A mark.
  package init(startedAt: Timestamp, endedAt: Timestamp?) {
    self.startedAt = startedAt
    self.endedAt = endedAt
  }

  /// How long a revoker may take before it counts as dead.
  package static let longestRun: Duration = .seconds(60)
  /// How long a mark is kept after its end: longer than any proof of tokens takes.
  package static let remembered: Duration = .seconds(3600)

  /// Whether a revoker is at it at `now`.
  package func isRunning(at now: Timestamp) -> Bool {
    endedAt == nil && now < startedAt + Self.longestRun && startedAt <= now + Self.longestRun
  }

  /// Whether tokens proven at `moment` may, as seen at `now`, have been revoked since. A mark of a time yet to
  /// come was written by a wrong clock: doubting it would turn every proof away until that time.
  package func casts(doubtOnProofAt moment: Timestamp, seenAt now: Timestamp) -> Bool {
    let last = endedAt ?? startedAt
    return last >= moment && last <= now + Self.longestRun
  }
}

/// The durable queue of revocations owed. A revocation kills the whole grant of a Google account, so it is
/// made only while nobody holds that account.
package protocol RevocationQueue: Sendable {
  /// Orders whose next attempt is due at `now`, longest overdue first. A new order is due at once.
  func due(at now: Timestamp, limit: Int) async throws(StoreError) -> [String]

  /// In one transaction: drops the order when somebody holds its account now; else marks the account as
  /// being revoked, unless another revoker is at it.
  func begin(_ id: String, at now: Timestamp) async throws(StoreError) -> RevocationStart

  /// Ends the mark that `begin` set for this order; it stays, ended, for ``RevocationMark/remembered``, since
  /// an attempt that failed may have reached Google all the same. `retryAt` nil: the order is done and
  /// goes; else it stays for then.
  func finish(_ order: RevocationOrder, at now: Timestamp, retryAt: Timestamp?) async throws(StoreError)
}

/// How beginning a revocation went.
package enum RevocationStart: Sendable {
  /// The account is marked: revoke it now.
  case marked(RevocationOrder)
  /// Somebody holds the account; the order is dropped.
  case held
  /// There is no such order (any more).
  case gone
  /// Another revoker is at that account.
  case busy
}
