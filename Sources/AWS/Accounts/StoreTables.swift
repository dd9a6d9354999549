import Domain
import Primitives

/// The tables that PayPulse keeps its data in: `Users`, which the older backend made, and one of its own.
///
/// The own table holds these items; a part in angle brackets is a value.
///
/// | `PK` | `SK` | what |
/// |---|---|---|
/// | `USER#<user id>` | `CONNECTION` | the connection record, its lease, what is aside (``ConnectionRecord``) |
/// | `USER#<user id>` | `SECRET`, `ASIDE`, `KEPT#<version>` | sealed values, of `DynamoDBTokenVault` alone |
/// | `ACCOUNT#<sub>` | `ACCOUNT` | who holds a Google account, and its revocation mark (``AccountItem``) |
/// | `ORDER#<order id>` | `ORDER` | a revocation owed (``OrderItem``) |
/// | `EMAIL#<folded address>` | `EMAIL` | whose an address is |
/// | `REFRESHES` | `MINUTE#<number>`, `~BRAKE` | how refreshes ended, and the brake |
package struct StoreTables: Sendable, Hashable {
  /// The older backend's table of users.
  package let users: String
  /// Its index by e-mail as typed, which holds every attribute.
  package let usersByEmail: String
  /// The table of our own.
  package let own: String

  /// The tables by their names.
  package init(users: String = "Users", usersByEmail: String = "Email-index", own: String = "PayPulse") {
    self.users = users
    self.usersByEmail = usersByEmail
    self.own = own
  }

  /// The own table's index over what is due at some time: a queue's name and the time in it.
  package static let byTime = "ByTime"
  /// The own table's time-to-live attribute, in seconds since 1970.
  package static let expiry = "ExpiresAt"

  /// Both tables, as they have to be.
  package var definitions: [TableDefinition] {
    [
      TableDefinition(
        users, partition: TableDefinition.Key("UserID"),
        indexes: [TableDefinition.Index(usersByEmail, partition: TableDefinition.Key("Email"))]),
      TableDefinition(
        own, partition: TableDefinition.Key("PK"), sort: TableDefinition.Key("SK"),
        indexes: [
          TableDefinition.Index(
            Self.byTime, partition: TableDefinition.Key("Queue"),
            sort: TableDefinition.Key("At", .number), projection: [])
        ]),
    ]
  }
}

/// The keys of items.
enum ItemKey {
  static func user(_ id: UserID) -> DynamoDBItem { ["UserID": .string(id.rawValue)] }

  static func connection(of user: UserID) -> DynamoDBItem { own("USER#" + user.rawValue, "CONNECTION") }

  static func account(_ subject: GoogleSubject) -> DynamoDBItem {
    own("ACCOUNT#" + subject.rawValue, "ACCOUNT")
  }

  static func order(_ id: String) -> DynamoDBItem { own(orderPrefix + id, "ORDER") }

  static func email(_ folded: String) -> DynamoDBItem { own("EMAIL#" + folded, "EMAIL") }

  static func value(_ kind: String, of user: UserID) -> DynamoDBItem { own("USER#" + user.rawValue, kind) }

  static let refreshes = "REFRESHES"
  static let orderPrefix = "ORDER#"
  static let userPrefix = "USER#"

  static func own(_ partition: String, _ sort: String) -> DynamoDBItem {
    ["PK": .string(partition), "SK": .string(sort)]
  }
}

extension AttributeValue {
  /// A string set, which cannot be empty.
  static func strings(_ members: Set<String>) -> AttributeValue {
    .other(["SS": .array(members.sorted().map { .string($0) })])
  }

  /// The members of a string set.
  var strings: Set<String>? {
    guard case .other(let json) = self, let members = json["SS"]?.array else { return nil }
    return Set(members.compactMap(\.string))
  }
}
