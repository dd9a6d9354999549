import Domain
import Primitives

extension DynamoDBRefreshLedger {
  /// What `items`, minutes and the brake, say of the hour that ends at `now`.
  static func statistics(of items: [DynamoDBItem], at now: Timestamp) -> RefreshStatistics {
    let (start, end) = (now - BelieveDeath.window, now)
    var (successes, deaths, brakeSince): (Int64, Int64, Timestamp?) = (0, 0, nil)
    var users: Set<UserID> = []
    for item in items {
      guard let sort = item["SK"]?.string, sort != brake else {
        brakeSince = item[since]?.timestamp
        continue
      }
      // A minute yet to come was written by a wrong clock.
      guard sort <= minute(end) else { continue }
      let known = (item[Self.deaths]?.strings ?? []).compactMap(Death.init)
      let within = known.filter { $0.at > start && $0.at <= end }
      deaths += Int64(within.count)
      users.formUnion(within.map(\.user))
      if sort > minute(start) {
        successes += item[succeeded]?.integer ?? 0
        deaths += max(0, (item[died]?.integer ?? 0) - Int64(known.count))
      }
    }
    return RefreshStatistics(
      refreshes: Int(successes + deaths), deaths: Int(deaths), usersDied: users.count, brakeSince: brakeSince)
  }
}

/// One `invalid_grant`, as it stands in a minute's set: its time, something unique, the user.
struct Death {
  let at: Timestamp
  let user: UserID

  init(at moment: Timestamp, user: UserID) {
    at = moment
    self.user = user
  }

  init?(_ text: String) {
    let parts = text.split(separator: "#", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let microseconds = Int64(parts[0]) else { return nil }
    at = Timestamp(microseconds: microseconds)
    user = UserID(String(parts[2]))
  }

  func text(unique: String) -> String { "\(at.microseconds)#\(unique)#\(user)" }
}
