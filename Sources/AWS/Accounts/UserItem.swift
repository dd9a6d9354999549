import Domain
import Primitives

/// A user as the older backend writes and reads them: `UserID`, `Email`, `Name`, `Password` (bcrypt), `CreatedOn`
/// (`YYYY-MM-DD`) and `CreatedAt` (`HH:MM:SS.ffffff`), all texts, in UTC. Ours beside them is `SessionsValidFrom`.
enum UserItem {
  static let sessionsValidFrom = "SessionsValidFrom"
  static let password = "Password"

  /// The item of `user`.
  static func item(of user: User) -> DynamoDBItem {
    let (day, time) = dayAndTime(of: user.createdAt)
    var item: DynamoDBItem = [
      "UserID": .string(user.id.rawValue), "Email": .string(user.email), "Name": .string(user.name),
      password: .string(user.passwordHash.expose()), "CreatedOn": .string(day), "CreatedAt": .string(time),
    ]
    item[sessionsValidFrom] = user.sessionsValidFrom.map { .timestamp($0) }
    return item
  }

  /// The user of `item`; nil when it names none. What only describes a user may be missing.
  static func user(of item: DynamoDBItem) -> User? {
    guard let id = item["UserID"]?.string else { return nil }
    return User(
      id: UserID(id), email: item["Email"]?.string ?? "", name: item["Name"]?.string ?? "",
      passwordHash: Secret(item[password]?.string ?? ""),
      createdAt: moment(day: item["CreatedOn"]?.string ?? "", time: item["CreatedAt"]?.string ?? ""),
      sessionsValidFrom: item[sessionsValidFrom]?.timestamp)
  }

  /// Python's `strftime("%Y-%m-%d")` and `strftime("%H:%M:%S.%f")`: the fraction is always there.
  private static func dayAndTime(of moment: Timestamp) -> (String, String) {
    let parts = moment.naiveISO8601.split(separator: "T").map(String.init)
    let time = parts.last ?? ""
    return (parts.first ?? "", time.contains(".") ? time : time + ".000000")
  }

  /// A time that cannot be read is midnight; a day that cannot, the beginning of time.
  private static func moment(day: String, time: String) -> Timestamp {
    Timestamp(iso8601: day + "T" + time) ?? Timestamp(iso8601: day + "T00:00:00") ?? Timestamp(iso8601: day)
      ?? Timestamp(microseconds: 0)
  }
}
