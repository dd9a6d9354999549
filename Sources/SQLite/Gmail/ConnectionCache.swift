import Domain
import Primitives
import Synchronization

/// Connections as they were decoded, opened or written at their row's revision, so that reading one that did not
/// change since costs neither decryption nor JSON. Whoever asks has read the revision just now.
final class ConnectionCache: Sendable {
  /// A connection at one revision. An object, since a copy of all that is in it would count dozens of references.
  final class Entry: Sendable {
    /// Random, new with every write of the row.
    let revision: Int64
    /// What the row says.
    let row: ConnectionRow
    /// The secret; nil until it was asked for, and where there is none that opens.
    let secret: SealedSecret?
    /// The newest lease when the entry was made; that may change, and the revision not.
    let lease: RefreshLease?

    init(revision: Int64, row: ConnectionRow, secret: SealedSecret? = nil, lease: RefreshLease? = nil) {
      self.revision = revision
      self.row = row
      self.secret = secret
      self.lease = lease
    }
  }

  private let entries: Mutex<RecentValues<UserID, Entry>>

  /// A cache of up to `capacity` users.
  init(capacity: Int) { entries = Mutex(RecentValues(capacity: capacity)) }

  /// What is known of `user` at `revision`.
  subscript(user: UserID, revision: Int64) -> Entry? {
    self[user].flatMap { $0.revision == revision ? $0 : nil }
  }

  /// What was known of `user` last, which somebody may have changed since.
  subscript(user: UserID) -> Entry? { entries.withLock { $0[user] } }

  /// Remembers `entry`.
  func insert(_ entry: Entry, for user: UserID) { entries.withLock { $0[user] = entry } }

  /// Forgets `user`.
  func remove(_ user: UserID) { entries.withLock { $0[user] = nil } }
}
