import Domain
import Primitives

/// Who holds a Google account, and whether it is being revoked. Both are in one item, so that a revocation begins
/// only while nobody holds the account, and nobody comes to hold it unseen while one runs.
struct AccountItem: Sendable, Hashable {
  /// The account.
  let subject: GoogleSubject
  /// The users who hold it.
  var holders: Set<String> = []
  /// The mark, and the order that set it.
  var mark: RevocationMark?
  var markOrder: String?

  static let holders = "Holders"
  static let markOrder = "MarkOrder"
  static let markStartedAt = "MarkStartedAt"
  static let markEndedAt = "MarkEndedAt"

  /// Nobody holds it.
  static let isFree: DynamoDBExpression = "attribute_not_exists(\(name: holders))"

  /// Reads an item; nil is an account that nothing is known of.
  init(_ subject: GoogleSubject, _ item: DynamoDBItem?) {
    self.subject = subject
    holders = item?[Self.holders]?.strings ?? []
    markOrder = item?[Self.markOrder]?.string
    if let started = item?[Self.markStartedAt]?.timestamp {
      mark = RevocationMark(startedAt: started, endedAt: item?[Self.markEndedAt]?.timestamp)
    }
  }

  /// The mark is the one that was read.
  var markStands: DynamoDBExpression {
    guard let mark else { return "attribute_not_exists(\(name: Self.markStartedAt))" }
    let end: DynamoDBExpression =
      if let ended = mark.endedAt {
        "\(name: Self.markEndedAt) = \(.timestamp(ended))"
      } else {
        "attribute_not_exists(\(name: Self.markEndedAt))"
      }
    return "\(name: Self.markStartedAt) = \(.timestamp(mark.startedAt)) AND \(expression: end)"
  }

  /// The write that counts `user` as a holder of `subject`.
  static func holding(
    _ subject: GoogleSubject, by user: UserID, in table: String, condition: DynamoDBExpression? = nil
  ) -> TransactionWrite {
    .update(
      table: table, key: ItemKey.account(subject), "ADD \(name: holders) \(.strings([user.rawValue]))",
      condition: condition)
  }

  /// The write that no longer does.
  static func releasing(
    _ subject: GoogleSubject, by user: UserID, in table: String, condition: DynamoDBExpression? = nil
  ) -> TransactionWrite {
    .update(
      table: table, key: ItemKey.account(subject), "DELETE \(name: holders) \(.strings([user.rawValue]))",
      condition: condition)
  }
}
