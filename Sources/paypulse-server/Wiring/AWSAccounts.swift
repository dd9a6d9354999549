import AWS
import Domain

/// The accounts in AWS.
struct AWSAccounts: Sendable {
  let accounts: AccountPlace
  /// Where that is, for people.
  let description: String
  let tables: StoreTables
  let dynamoDB: DynamoDB

  /// Fails, and says what to do, when a table cannot be read.
  func checkTables() async throws(FileError) {
    let nobody = AttributeValue.string("nobody")
    try await check(tables.users, key: ["UserID": nobody])
    try await check(tables.own, key: ["PK": nobody, "SK": nobody])
  }

  private func check(_ table: String, key: DynamoDBItem) async throws(FileError) {
    do throws(AWSError) { _ = try await dynamoDB.getItem(table, key: key) } catch {
      throw FileError(explain(error, table))
    }
  }

  private func explain(_ error: AWSError, _ table: String) -> String {
    switch error {
    case .service(let failure) where failure.isNotFound:
      "There is no table \(table) in \(description). Check AWS_REGION, USERS_TABLE and PAYPULSE_TABLE, or make the "
        + "table: PayPulse's own has to be there, be it empty, also where only the older backend has been."
    case .service(let failure): "The table \(table) cannot be read (\(failure.code))."
    case .denied(let code):
      "AWS refuses these credentials, or they do not allow reading the table \(table) (\(code))."
    case .noCredentials: "The endpoint that gives out AWS credentials does not give any."
    case .throttled: "The table \(table) gets too many requests at present. Try again later."
    case .unreachable, .unavailable, .timedOut, .cancelled:
      "AWS gives no answer. Check AWS_REGION and AWS_ENDPOINT_URL, and try again."
    }
  }
}
