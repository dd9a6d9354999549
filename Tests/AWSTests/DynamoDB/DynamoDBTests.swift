import AWS
import Primitives
import TestSupport
import Testing

@Suite("DynamoDB on moto")
struct DynamoDBTests {
  private let table = TableDefinition("things", partition: TableDefinition.Key("id"))

  private func database() async throws -> DynamoDB {
    let database = DynamoDB(client: try await MotoWorld.client())
    try await database.createTable(table)
    return database
  }

  private let everything: DynamoDBItem = [
    "id": "å 日本😀", "count": -7, "flag": true, "bytes": .binary([0, 255, 62, 63]), "nothing": .null,
    "inner": .map(["list": .list([1, "two", .map([:])])]), "status": "a reserved word",
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
}
