import Domain
import Primitives
import Synchronization

/// What was read of a user a moment ago, so that one request to us does not read the same item again: the check of
/// the session brings the record along for the read that follows, and a read what an update then decides upon.
///
/// An update is safe upon it, since its write has conditions; a read takes only what is ``fresh`` and takes it
/// once. Whatever this process writes ends it.
final class RecentReads: Sendable {
  /// What was read.
  struct Entry: Sendable {
    let items: LoadedItems
    var found: FoundValue?
    let readAt: Timestamp
  }
  private struct State {
    var entries: [UserID: Entry] = [:]
    var epoch: UInt64 = 0
  }

  /// For how long a read may rely on the items.
  static let fresh: Duration = .milliseconds(250)
  /// For how long an update may rely on the value: nothing else tells it that another backend wrote meanwhile.
  static let freshValue: Duration = .seconds(2)
  /// For how long an update may rely on the items.
  static let usable: Duration = .seconds(30)
  private static let capacity = 1000

  private let state = Mutex(State())

  /// The present epoch, to be taken before a read begins.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  /// Remembers what was read, unless something was written since `epoch`.
  func keep(_ entry: Entry, of user: UserID, since epoch: UInt64) {
    state.withLock { state in
      guard state.epoch == epoch else { return }
      if state.entries.count >= Self.capacity { state.entries = [:] }
      state.entries[user] = entry
    }
  }

  /// What was read of `user` within `age` before `now`; it is not given twice.
  func take(_ user: UserID, at now: Timestamp, within age: Duration) -> Entry? {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: user) else { return nil }
      return entry.readAt <= now && now - entry.readAt <= age ? entry : nil
    }
  }

  /// Something was written: forgets `user`, and whatever is being read now.
  func end(_ user: UserID) {
    state.withLock { state in
      state.epoch += 1
      state.entries[user] = nil
    }
  }
}

/// The items of one user, as one request read them.
struct LoadedItems: Sendable {
  /// The item in `Users`; nil when the user does not exist.
  var user: DynamoDBItem?
  /// The record.
  var record: ConnectionRecord
  /// The items of the place where values live.
  var place: [DynamoDBItem]
  /// The Google account that was asked about; nil when none was.
  var account: AccountItem?
}
