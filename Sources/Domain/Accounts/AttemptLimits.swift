import Primitives
import Synchronization

/// Counts events per key in a sliding window, in this process.
package final class AttemptLimit: Sendable {
  private let count: Int
  private let window: Duration
  private let events = Mutex<[String: [Timestamp]]>([:])
  /// Past this many keys, those whose window has passed are dropped, so that strangers cannot fill the memory.
  private static let sweepSize = 10_000

  /// At most `count` events a key in any `window`.
  package init(_ count: Int, per window: Duration) {
    self.count = count
    self.window = window
  }

  /// How long until `key` may have another event; nil when it may now.
  package func wait(_ key: String, at now: Timestamp) -> Duration? {
    events.withLock { wait(key, at: now, among: $0) }
  }

  /// Counts an event of `key`.
  package func note(_ key: String, at now: Timestamp) {
    events.withLock { note(key, at: now, among: &$0) }
  }

  /// Counts an event unless `key` has to wait; then says how long.
  package func admit(_ key: String, at now: Timestamp) -> Duration? {
    // Under one lock: of callers side by side no more than allowed get in.
    events.withLock { events in
      if let wait = wait(key, at: now, among: events) { return wait }
      note(key, at: now, among: &events)
      return nil
    }
  }

  private func wait(_ key: String, at now: Timestamp, among events: [String: [Timestamp]]) -> Duration? {
    guard let recent = events[key]?.filter({ isRecent($0, at: now) }), recent.count >= count else {
      return nil
    }
    return recent[recent.count - count] + window - now
  }

  private func note(_ key: String, at now: Timestamp, among events: inout [String: [Timestamp]]) {
    if events.count >= Self.sweepSize {
      events = events.filter { $0.value.last.map { isRecent($0, at: now) } ?? false }
    }
    events[key] = (events[key, default: []].filter { isRecent($0, at: now) } + [now]).suffix(count)
  }

  /// Whether an event counts yet. One further ahead than a window was seen by a wrong clock, and would keep
  /// its key out until then.
  private func isRecent(_ event: Timestamp, at now: Timestamp) -> Bool {
    event + window > now && event <= now + window
  }
}

/// How many wrong passwords are taken in 15 minutes: 10 for one account from one address, 100 from one
/// address. Right ones never count.
package struct PasswordLimits: Sendable {
  private let perAccount = AttemptLimit(10, per: .seconds(15 * 60))
  private let perPeer = AttemptLimit(100, per: .seconds(15 * 60))

  /// Fresh limits.
  package init() {}

  /// How long the next try has to wait; nil when it need not.
  package func wait(account: String, peer: String, at now: Timestamp) -> Duration? {
    let waits = [perAccount.wait(key(account, peer), at: now), perPeer.wait(peer, at: now)]
    return waits.compactMap(\.self).max()
  }

  /// Counts a wrong password, unless there were too many already; then says how long the next has to wait.
  package func admitFailure(account: String, peer: String, at now: Timestamp) -> Duration? {
    perAccount.admit(key(account, peer), at: now) ?? perPeer.admit(peer, at: now)
  }

  /// No account's address is longer than the beginning that is kept: strangers' would fill the memory.
  private func key(_ account: String, _ peer: String) -> String {
    peer + "\n" + String(decoding: account.utf8.prefix(2 * EmailAddress.longest), as: UTF8.self)
  }
}
