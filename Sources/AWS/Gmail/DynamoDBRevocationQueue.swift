import Domain
import Primitives

/// Revocations owed, in our own table.
package struct DynamoDBRevocationQueue: RevocationQueue {
  let dynamoDB: DynamoDB
  let tables: StoreTables
  let sealer: KMSSealer
  let failure: StoreFailure

  /// How many forgotten marks one revocation tidies away.
  private static let batch = 25
  private static let mostAttempts = 5

  package func due(at now: Timestamp, limit: Int) async throws(StoreError) -> [String] {
    try await failure.run("listing revocations") { () async throws(AWSError) in
      try await dynamoDB.due(TimeQueue.orders, in: tables, until: now, limit: limit).compactMap { item in
        item["PK"]?.string.map { String($0.dropFirst(ItemKey.orderPrefix.count)) }
      }
    }
  }

  // MARK: Beginning

  package func begin(_ id: String, at now: Timestamp) async throws(StoreError) -> RevocationStart {
    let item = try await failure.run("reading a revocation") { () async throws(AWSError) in
      try await dynamoDB.getItem(tables.own, key: ItemKey.order(id))
    }
    guard let item else { return .gone }
    guard let order = try await OrderItem.order(id, of: item, sealer) else {
      try await drop(id)
      return .gone
    }
    try await forgetMarks(at: now)
    return try await failure.run("beginning a revocation") { () async throws(AWSError) in
      for _ in 0..<Self.mostAttempts {
        if try await mark(order, at: now) { return .marked(order) }
        guard try await dynamoDB.getItem(tables.own, key: ItemKey.order(id)) != nil else { return .gone }
        let account = AccountItem(
          order.subject, try await dynamoDB.getItem(tables.own, key: ItemKey.account(order.subject)))
        if account.holders.isEmpty {
          if account.mark?.isRunning(at: now) ?? false { return .busy }
        } else if try await dropIfHeld(order) {
          return .held
        }
      }
      throw .unavailable
    }
  }

  /// Marks the account, if the order is there, nobody holds it and no other revoker is at it.
  private func mark(_ order: RevocationOrder, at now: Timestamp) async throws(AWSError) -> Bool {
    let (started, ended) = (AccountItem.markStartedAt, AccountItem.markEndedAt)
    let (oldest, newest) = (now - RevocationMark.longestRun, now + RevocationMark.longestRun)
    let mark: DynamoDBExpression = """
      SET \(name: AccountItem.markOrder) = \(.string(order.id)), \(name: started) = \(.timestamp(now)), \
      \(name: "Queue") = \(.string(TimeQueue.marks)), \(name: "At") = \(.timestamp(now)) \
      REMOVE \(name: ended)
      """
    let isFree: DynamoDBExpression = """
      \(expression: AccountItem.isFree) AND (attribute_not_exists(\(name: started)) OR attribute_exists(\(name: ended)) \
      OR \(name: started) <= \(.timestamp(oldest)) OR \(name: started) > \(.timestamp(newest)))
      """
    return try await transact([
      .update(table: tables.own, key: ItemKey.account(order.subject), mark, condition: isFree),
      .check(
        table: tables.own, key: ItemKey.order(order.id), condition: "attribute_exists(\(name: "PK"))"),
    ])
  }

  private func dropIfHeld(_ order: RevocationOrder) async throws(AWSError) -> Bool {
    try await transact([
      .delete(table: tables.own, key: ItemKey.order(order.id)),
      .check(
        table: tables.own, key: ItemKey.account(order.subject),
        condition: "attribute_exists(\(name: AccountItem.holders))"),
    ])
  }

  /// Whether the transaction was done; not where a condition was in the way.
  private func transact(_ writes: [TransactionWrite]) async throws(AWSError) -> Bool {
    do throws(AWSError) {
      try await dynamoDB.transactWriteItems(writes)
      return true
    } catch {
      guard let refusal = error.failure, refusal.isConditionalCheckFailed || refusal.isConflict else {
        throw error
      }
      return false
    }
  }

  private func drop(_ id: String) async throws(StoreError) {
    _ = try await failure.run("dropping a revocation") { () async throws(AWSError) in
      try await dynamoDB.deleteItem(tables.own, key: ItemKey.order(id), isRepeatable: true)
    }
  }

  // MARK: Finishing

  package func finish(_ order: RevocationOrder, at now: Timestamp, retryAt: Timestamp?)
    async throws(StoreError)
  {
    try await endMark(of: order, at: now)
    if let retryAt { try await putOff(order.id, until: retryAt) } else { try await drop(order.id) }
    try await forgetMarks(at: now)
  }

  /// A mark that a later order set meanwhile is that one's to end.
  private func endMark(of order: RevocationOrder, at now: Timestamp) async throws(StoreError) {
    let (by, started) = (AccountItem.markOrder, AccountItem.markStartedAt)
    try await unlessRefused("ending a revocation") { () async throws(AWSError) in
      try await dynamoDB.updateItem(
        tables.own, key: ItemKey.account(order.subject),
        """
        SET \(name: by) = \(.string(order.id)), \(name: AccountItem.markEndedAt) = \(.timestamp(now)), \
        \(name: started) = if_not_exists(\(name: started), \(.timestamp(now))), \
        \(name: "Queue") = \(.string(TimeQueue.marks)), \(name: "At") = \(.timestamp(now))
        """,
        condition: "attribute_not_exists(\(name: by)) OR \(name: by) = \(.string(order.id))",
        isRepeatable: true)
    }
  }

  private func putOff(_ id: String, until moment: Timestamp) async throws(StoreError) {
    try await unlessRefused("putting a revocation off") { () async throws(AWSError) in
      try await dynamoDB.updateItem(
        tables.own, key: ItemKey.order(id), "SET \(name: "At") = \(.timestamp(moment))",
        condition: "attribute_exists(\(name: "PK"))", isRepeatable: true)
    }
  }

  /// Forgets marks that are old enough, and accounts of which nothing else is known.
  private func forgetMarks(at now: Timestamp) async throws(StoreError) {
    let old = try await failure.run("listing old marks") { () async throws(AWSError) in
      try await dynamoDB.due(
        TimeQueue.marks, in: tables, until: now - RevocationMark.remembered, limit: Self.batch)
    }
    for item in old {
      guard let partition = item["PK"]?.string, let at = item["At"] else { continue }
      let key = ItemKey.own(partition, "ACCOUNT")
      try await unlessRefused("forgetting a mark") { () async throws(AWSError) in
        try await dynamoDB.updateItem(
          tables.own, key: key,
          """
          REMOVE \(name: AccountItem.markOrder), \(name: AccountItem.markStartedAt), \
          \(name: AccountItem.markEndedAt), \(name: "Queue"), \(name: "At")
          """,
          condition: "\(name: "At") = \(at)", isRepeatable: true)
        try await dynamoDB.deleteItem(
          tables.own, key: key,
          condition:
            "\(expression: AccountItem.isFree) AND attribute_not_exists(\(name: AccountItem.markStartedAt))",
          isRepeatable: true)
      }
    }
  }

  /// Does `work`; that its condition is not met is fine.
  private func unlessRefused(_ what: StaticString, _ work: () async throws(AWSError) -> Void)
    async throws(StoreError)
  {
    do throws(AWSError) { try await work() } catch {
      guard error.failure?.isConditionalCheckFailed ?? false else { throw failure.error(error, in: what) }
    }
  }
}
