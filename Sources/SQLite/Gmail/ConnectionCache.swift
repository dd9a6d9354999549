import Domain

/// Connections as they were decoded and opened for their row's revision, so that reading one that did not
/// change costs neither decryption nor JSON. Whoever asks has read the revision just now.
final class ConnectionCache {
  /// A connection at one revision.
  struct Entry {
    let revision: Int64
    let record: GmailConnection?
    /// The secret; nil until it was asked for.
    var secret: StoredSecret?
  }

  private let capacity: Int
  // Two halves: when the newer is full the older goes, which is what nobody asked for in the meantime.
  private var newer: [UserID: Entry] = [:]
  private var older: [UserID: Entry] = [:]

  /// A cache of up to `capacity` users.
  init(capacity: Int) { self.capacity = capacity }

  /// What is known of `user` at `revision`.
  subscript(user: UserID, revision: Int64) -> Entry? {
    if let entry = newer[user] { return entry.revision == revision ? entry : nil }
    guard let entry = older[user], entry.revision == revision else { return nil }
    insert(entry, for: user)
    return entry
  }

  /// Remembers `entry`.
  func insert(_ entry: Entry, for user: UserID) {
    if newer.count >= capacity / 2, newer[user] == nil {
      older = newer
      newer = [:]
    }
    newer[user] = entry
  }

  /// Forgets `user`.
  func remove(_ user: UserID) {
    newer[user] = nil
    older[user] = nil
  }
}
