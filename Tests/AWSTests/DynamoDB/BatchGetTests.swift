import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("What DynamoDB leaves undone")
struct BatchGetTests {
  private let keys: [DynamoDBItem] = [["id": "a"], ["id": "b"]]

  @Test("is asked for again, with what was wanted of it")
  func unprocessed() async throws {
    let service = ScriptedService([
      .reply(
        200,
        #"{"Responses":{"t":[{"id":{"S":"a"}}]},"UnprocessedKeys":{"t":{"Keys":[{"id":{"S":"b"}}],"ConsistentRead":true}}}"#
      ), .reply(200, #"{"Responses":{"t":[{"id":{"S":"b"}}]},"UnprocessedKeys":{}}"#),
    ])
    let database = DynamoDB(client: try service.client())
    let found = try await database.batchGetItems([.init(table: "t", keys: keys, projection: ["id"])])
    #expect(found == ["t": keys])
    #expect(service.pauses.count == 1)
    let second = try #require(JSONValue(json: service.http.requests[1].body))["RequestItems"]?["t"]
    #expect(second?["Keys"] == [["id": ["S": "b"]]])
    #expect(second?["ConsistentRead"] == true)
    #expect(second?["ProjectionExpression"] == "#0")
  }

  @Test("is given up when nothing more comes of it")
  func fruitless() async throws {
    let service = ScriptedService([
      .reply(200, #"{"Responses":{},"UnprocessedKeys":{"t":{"Keys":[{"id":{"S":"a"}},{"id":{"S":"b"}}]}}}"#)
    ])
    let database = DynamoDB(client: try service.client())
    await #expect(throws: AWSError.throttled) {
      try await database.batchGetItems([.init(table: "t", keys: keys)])
    }
    #expect(service.http.requests.count == RetryPolicy().maximumAttempts)
  }

  @Test("an item that cannot be read makes the reply one that says nothing")
  func unreadable() async throws {
    for item in [#"{"id":{"X":"a"}}"#, #"{"id":"a"}"#, #"{"id":{"N":1}}"#, #"{"id":{"B":"?"}}"#, "[]"] {
      let service = ScriptedService([.reply(200, #"{"Item":\#(item)}"#)])
      let database = DynamoDB(client: try service.client())
      await #expect(throws: AWSError.unavailable) { try await database.getItem("t", key: ["id": "a"]) }
    }
  }
}
