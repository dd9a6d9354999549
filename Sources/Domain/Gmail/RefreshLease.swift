import Primitives

/// The right to refresh one connection for a while. The fencing number grows with each lease, so that a
/// process that slept through its own can be told from the one that came after.
package struct RefreshLease: Sendable, Hashable {
  /// Who took it: a text that no two flights share.
  package let owner: String
  /// Grows by one with each lease on a connection.
  package let fence: Int64
  /// When it ends by itself.
  package let expiresAt: Timestamp

  /// A lease.
  package init(owner: String, fence: Int64, expiresAt: Timestamp) {
    self.owner = owner
    self.fence = fence
    self.expiresAt = expiresAt
  }

  /// How long a lease lasts.
  package static let lifetime: Duration = .seconds(60)
  /// An expiry further ahead than this was written by a wrong clock, and counts as past.
  package static let furthestExpiry: Duration = .seconds(120)

  /// Whether it still holds others off at `now`.
  package func isLive(at now: Timestamp) -> Bool {
    expiresAt > now && expiresAt <= now + Self.furthestExpiry
  }
}

/// How asking for a lease ended.
package enum LeaseAttempt: Sendable {
  /// It is ours.
  case acquired(RefreshLease)
  /// Another's is live.
  case held
}
