import Domain
import Primitives

/// How refreshes ended, as counters by the minute: a refresh costs one write and one read of an hour's items, however
/// many there are.
///
/// Deaths are remembered one by one, with their time and user, up to ``mostDeaths`` a minute; more than that are only
/// counted, which is exact enough for a wave. A minute counts as soon as all of it is within the hour.
package struct DynamoDBRefreshLedger: RefreshLedger {
  let dynamoDB: DynamoDB
  let tables: StoreTables
  let random: RandomSource
  let failure: StoreFailure

  static let succeeded = "Succeeded"
  static let died = "Died"
  static let deaths = "Deaths"
  static let since = "Since"
  static let brake = "~BRAKE"
  private static let mostDeaths = 200
  /// For how long a minute is kept.
  private static let kept: Int64 = 2 * 3600

  // MARK: Counting

  package func record(_ result: RefreshResult, of user: UserID, at now: Timestamp) async throws(StoreError)
    -> RefreshStatistics
  {
    async let earlier = hourOrError(until: now)
    let counted: Result<DynamoDBItem?, AWSError>
    do throws(AWSError) { counted = .success(try await count(result, of: user, at: now)) } catch {
      counted = .failure(error)
    }
    let hour = await earlier
    return try await failure.run("counting a refresh") { () async throws(AWSError) in
      var items = try hour.get()
      // That minute as this very write left it.
      if let own = try counted.get() {
        items.removeAll { $0["SK"] == own["SK"] }
        items.append(own)
      }
      return Self.statistics(of: items, at: now)
    }
  }

  private func count(_ result: RefreshResult, of user: UserID, at now: Timestamp) async throws(AWSError)
    -> DynamoDBItem?
  {
    let key = ItemKey.own(ItemKey.refreshes, Self.minute(now))
    let expiry = AttributeValue.integer(now.seconds + Self.kept)
    let start: DynamoDBExpression = "SET \(name: StoreTables.expiry) = \(expiry) ADD "
    guard result == .died else {
      return try await dynamoDB.updateItem(
        tables.own, key: key, "\(expression: start)\(name: Self.succeeded) \(.integer(1))", returning: .allNew
      )
    }
    let death = Death(at: now, user: user).text(unique: random.token128())
    let isRoom: DynamoDBExpression = """
      attribute_not_exists(\(name: Self.deaths)) OR size(\(name: Self.deaths)) < \
      \(.integer(Int64(Self.mostDeaths)))
      """
    let counting: DynamoDBExpression = "\(expression: start)\(name: Self.died) \(.integer(1))"
    do throws(AWSError) {
      return try await dynamoDB.updateItem(
        tables.own, key: key, "\(expression: counting), \(name: Self.deaths) \(.strings([death]))",
        condition: isRoom,
        returning: .allNew)
    } catch {
      guard error.failure?.isConditionalCheckFailed ?? false else { throw error }
      return try await dynamoDB.updateItem(tables.own, key: key, counting, returning: .allNew)
    }
  }

  /// The minutes of the hour that ends at `now`, and the brake after them.
  private func hour(until now: Timestamp) async throws(AWSError) -> [DynamoDBItem] {
    var query = DynamoDBQuery(
      tables.own,
      keys: """
        \(name: "PK") = \(.string(ItemKey.refreshes)) AND \(name: "SK") BETWEEN \
        \(.string(Self.minute(now - BelieveDeath.window))) AND \(.string(Self.brake))
        """)
    query.isConsistent = true
    return try await dynamoDB.items(of: query)
  }

  private func hourOrError(until now: Timestamp) async -> Result<[DynamoDBItem], AWSError> {
    do throws(AWSError) { return .success(try await hour(until: now)) } catch { return .failure(error) }
  }

  static func minute(_ moment: Timestamp) -> String {
    let digits = String(max(0, moment.seconds / 60))
    return "MINUTE#" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }

  // MARK: The brake

  package func brakeSince() async throws(StoreError) -> Timestamp? {
    try await failure.run("looking at the brake") { () async throws(AWSError) in
      try await dynamoDB.getItem(tables.own, key: Self.brakeKey)?[Self.since]?.timestamp
    }
  }

  private static var brakeKey: DynamoDBItem { ItemKey.own(ItemKey.refreshes, brake) }

  package func engageBrake(at now: Timestamp) async throws(StoreError) -> Bool {
    var item = Self.brakeKey
    item[Self.since] = .timestamp(now)
    do throws(AWSError) {
      try await dynamoDB.putItem(tables.own, item, condition: "attribute_not_exists(\(name: "PK"))")
      return true
    } catch {
      guard error.failure?.isConditionalCheckFailed ?? false else {
        throw failure.error(error, in: "putting the brake on")
      }
      return false
    }
  }

  package func releaseBrake() async throws(StoreError) -> Timestamp? {
    try await failure.run("taking the brake off") { () async throws(AWSError) in
      let minutes = try await everything()
      guard minutes.contains(where: { $0["SK"]?.string == Self.brake }) else { return nil }
      // The counts go first: a process that ends halfway leaves the brake on for the next success to take off.
      for item in minutes where item["SK"]?.string != Self.brake {
        try await dynamoDB.deleteItem(tables.own, key: Self.key(item), isRepeatable: true)
      }
      return try await dynamoDB.deleteItem(tables.own, key: Self.brakeKey, returning: .allOld)?[Self.since]?
        .timestamp
    }
  }

  // MARK: Forgetting

  /// Forgets that grants of `user` died.
  func forget(_ user: UserID) async throws(StoreError) {
    try await failure.run("forgetting a user's counts") { () async throws(AWSError) in
      for item in try await everything() {
        let theirs = (item[Self.deaths]?.strings ?? []).filter { Death($0)?.user == user }
        if theirs.isEmpty { continue }
        try await dynamoDB.updateItem(
          tables.own, key: Self.key(item),
          """
          ADD \(name: Self.died) \(.integer(-Int64(theirs.count))) DELETE \(name: Self.deaths) \(.strings(theirs))
          """,
          condition: theirs.sorted().reduce("attribute_exists(\(name: "PK"))") { all, death in
            "\(expression: all) AND contains(\(name: Self.deaths), \(.string(death)))"
          })
      }
    }
  }

  /// All minutes that are kept, and the brake.
  private func everything() async throws(AWSError) -> [DynamoDBItem] {
    var query = DynamoDBQuery(tables.own, keys: "\(name: "PK") = \(.string(ItemKey.refreshes))")
    query.isConsistent = true
    return try await dynamoDB.items(of: query)
  }

  private static func key(_ item: DynamoDBItem) -> DynamoDBItem {
    ItemKey.own(ItemKey.refreshes, item["SK"]?.string ?? "")
  }
}
