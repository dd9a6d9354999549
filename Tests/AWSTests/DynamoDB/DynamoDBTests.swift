import AWS
import Primitives
import TestSupport
import Testing

@Suite("DynamoDB on moto")
struct DynamoDBTests {
  private func database() async throws -> DynamoDB {
    let database = DynamoDB(client: try await MotoWorld.client())
    try await database.createTable(TableDefinition("things", partition: .init("id")))
    return database
  }

  private func failure(_ work: () async throws(AWSError) -> Void) async -> ServiceFailure? {
    do throws(AWSError) { try await work() } catch { return error.failure }
    return nil
  }

  private let everything: DynamoDBItem = [
    "id": "å 日本😀", "count": -7, "flag": true, "bytes": .binary([0, 255, 62, 63]), "nothing": .null,
    "inner": .map(["list": .list([1, "two", .map([:])])]), "status": "a reserved word", "empty": "",
    "set": .other(["SS": ["a", "b"]]),
  ]

  @Test("an item of every kind comes back as it was")
  func everyKind() async throws {
    let database = try await database()
    try await database.putItem("things", everything)
    #expect(try await database.getItem("things", key: ["id": "å 日本😀"]) == everything)
    #expect(try await database.getItem("things", key: ["id": "other"]) == nil)
    let part = try await database.getItem("things", key: ["id": "å 日本😀"], projection: ["status", "count"])
    #expect(part == ["status": "a reserved word", "count": -7])
  }

  @Test("a write whose condition is not met changes nothing and tells what is there")
  func conditions() async throws {
    let database = try await database()
    let isNew: DynamoDBExpression = "attribute_not_exists(\(name: "id"))"
    try await database.putItem("things", ["id": "a", "version": 1], condition: isNew)
    let put = await failure { () throws(AWSError) in
      try await database.putItem("things", ["id": "a", "version": 2], condition: isNew)
    }
    #expect(put?.isConditionalCheckFailed == true)
    #expect(put?.item == ["id": "a", "version": 1])
    let isSecond: DynamoDBExpression = "\(name: "version") = \(2)"
    let update = await failure { () throws(AWSError) in
      try await database.updateItem("things", key: ["id": "a"], .set(["version": 3]), condition: isSecond)
    }
    let deletion = await failure { () throws(AWSError) in
      try await database.deleteItem("things", key: ["id": "a"], condition: isSecond)
    }
    #expect(update?.item == ["id": "a", "version": 1])
    #expect(deletion?.item == ["id": "a", "version": 1])
    #expect(try await database.getItem("things", key: ["id": "a"]) == ["id": "a", "version": 1])
  }

  @Test("updates and removals give the item before or after")
  func returnedValues() async throws {
    let database = try await database()
    let key: DynamoDBItem = ["id": "a"]
    let made = try await database.updateItem(
      "things", key: key, .set(["status": "x", "gone": 1]), returning: .allNew)
    #expect(made == ["id": "a", "status": "x", "gone": 1])
    let before = try await database.updateItem(
      "things", key: key, .set(["status": "y"], remove: ["gone"]), returning: .allOld)
    #expect(before == made)
    let counted = try await database.updateItem(
      "things", key: key, "ADD \(name: "fence") \(1)", condition: "\(name: "status") <> \("z")",
      returning: .allNew)
    #expect(counted == ["id": "a", "status": "y", "fence": 1])
    #expect(try await database.updateItem("things", key: key, .set([:], remove: ["fence"])) == nil)
    #expect(
      try await database.deleteItem("things", key: key, returning: .allOld) == ["id": "a", "status": "y"])
    #expect(try await database.deleteItem("things", key: key, returning: .allOld) == nil)
  }

  @Test("a transaction is done as a whole or not at all, and says why")
  func transactions() async throws {
    let database = try await database()
    try await database.putItem("things", ["id": "lock", "owner": "me"])
    try await database.putItem("things", ["id": "old"])
    func writes(owner: AttributeValue) -> [TransactionWrite] {
      [
        .check(table: "things", key: ["id": "lock"], condition: "\(name: "owner") = \(owner)"),
        .put(table: "things", ["id": "new"], condition: "attribute_not_exists(\(name: "id"))"),
        .update(table: "things", key: ["id": "changed"], .set(["n": 1])),
        .delete(table: "things", key: ["id": "old"]),
      ]
    }
    let refused = await failure { () throws(AWSError) in
      try await database.transactWriteItems(writes(owner: "you"))
    }
    #expect(refused?.code == "TransactionCanceledException")
    #expect(refused?.cancellationReasons.map(\.isConditionalCheckFailed) == [true, false, false, false])
    #expect(refused?.cancellationReasons.first?.item == ["id": "lock", "owner": "me"])
    #expect(try await database.getItem("things", key: ["id": "new"]) == nil)
    try await database.transactWriteItems(writes(owner: "me"))
    let found = try await database.batchGetItems([
      .init(table: "things", keys: ["new", "changed", "old"].map { ["id": .string($0)] })
    ])
    #expect(Set(found["things"] ?? []) == [["id": "new"], ["id": "changed", "n": 1]])
  }

  @Test("more items than a batch takes come all the same, of several tables")
  func batches() async throws {
    let database = try await database()
    try await database.createTable(TableDefinition("others", partition: .init("id")))
    for number in 0..<130 {
      try await database.putItem("things", ["id": .string("\(number)"), "n": .integer(number), "more": "x"])
    }
    try await database.putItem("others", ["id": "0"])
    let found = try await database.batchGetItems([
      .init(
        table: "things", keys: (0..<140).map { ["id": .string("\($0)")] }, projection: ["n"]),
      .init(table: "others", keys: [["id": "0"], ["id": "1"]], consistent: false),
    ])
    #expect(Set(found["things"] ?? []) == Set((0..<130).map { ["n": .integer($0)] }))
    #expect(found["others"] == [["id": "0"]])
    #expect(try await database.batchGetItems([]).isEmpty)
  }

  @Test("a query goes through an index in order, page by page, and a scan through the table")
  func queries() async throws {
    let database = DynamoDB(client: try await MotoWorld.client())
    let index = TableDefinition.Index(
      "due", partition: .init("shard"), sort: .init("due", .number), projection: ["name"])
    try await database.createTable(TableDefinition("jobs", partition: .init("id"), indexes: [index]))
    for number in 0..<25 {
      try await database.putItem(
        "jobs",
        [
          "id": .string("\(number)"), "shard": "s", "due": .integer(100 - number),
          "name": .string("n\(number)"),
        ])
    }
    var query = DynamoDBQuery(
      "jobs", index: "due", keys: "\(name: "shard") = \("s") AND \(name: "due") <= \(95)")
    query.pageSize = 4
    let names = try await database.items(of: query, limit: 10).map { $0["name"]?.string }
    #expect(names == (0..<10).map { "n\(24 - $0)" })
    query.filter = "\(name: "name") <> \("n24")"
    query.isAscending = false
    #expect(try await database.items(of: query).map { $0["name"]?.string } == (5..<24).map { "n\($0)" })
    let page = try await database.page(of: query)
    #expect(page.items.count == 4)
    #expect(page.next?["id"] == "8")
    #expect(try await database.items(of: DynamoDBQuery("jobs", keys: nil)).count == 25)
  }

  @Test("a table that is not there is told from an item that is not")
  func missingTable() async throws {
    let database = try await database()
    let missing = await failure { () throws(AWSError) in
      _ = try await database.getItem("none", key: ["id": "a"])
    }
    #expect(missing?.isNotFound == true)
  }

  @Test("of twenty who write under one condition, one does")
  func race() async throws {
    let database = try await database()
    let winners = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask {
          do throws(AWSError) {
            try await database.transactWriteItems([
              .put(
                table: "things", ["id": "one", "by": .integer(number)],
                condition: "attribute_not_exists(\(name: "id"))"),
              .put(table: "things", ["id": .string("trace-\(number)")]),
            ])
            return true
          } catch {
            return false
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(winners == 1)
    #expect(try await database.items(of: DynamoDBQuery("things", keys: nil)).count == 2)
  }
}
