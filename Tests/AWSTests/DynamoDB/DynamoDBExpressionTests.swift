import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("DynamoDB's expressions and values")
struct DynamoDBExpressionTests {
  private func body(
    _ update: DynamoDBExpression, condition: DynamoDBExpression? = nil
  ) async throws -> JSONValue {
    let service = ScriptedService([.reply(200, "{}")])
    try await DynamoDB(client: try service.client()).updateItem(
      "t", key: ["id": "a"], update, condition: condition)
    return try #require(JSONValue(json: service.http.requests[0].body))
  }

  @Test("names and values become placeholders, shared by the expressions of a request")
  func placeholders() async throws {
    let hostile = ":0 OR #0 = :1"
    let inner: DynamoDBExpression = "\(name: "status") = \(.string(hostile))"
    let body = try await body(
      "SET \(name: "status") = \("new"), \(name: "a.b") = \(name: "a.b") + \(1)",
      condition: "(\(expression: inner)) AND size(\(name: "x")) > \(2)")
    #expect(body["UpdateExpression"] == "SET #0 = :0, #1 = #1 + :1")
    #expect(body["ConditionExpression"] == "(#0 = :2) AND size(#2) > :3")
    #expect(body["ExpressionAttributeNames"] == ["#0": "status", "#1": "a.b", "#2": "x"])
    #expect(
      body["ExpressionAttributeValues"] == [
        ":0": ["S": "new"], ":1": ["N": "1"], ":2": ["S": .string(hostile)], ":3": ["N": "2"],
      ])
    #expect(body["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD")
  }

  @Test("an expression without values sends no table of them")
  func noValues() async throws {
    let removal = try await body(.set([:], remove: ["b", "a"]))
    #expect(removal["UpdateExpression"] == "REMOVE #0, #1")
    #expect(removal["ExpressionAttributeValues"] == nil)
    #expect(removal["ConditionExpression"] == nil)
    let both = try await body(.set(["b": 1, "a": 2], remove: ["c"]))
    #expect(both["UpdateExpression"] == "SET #0 = :0, #1 = :1 REMOVE #2")
    #expect(both["ExpressionAttributeNames"] == ["#0": "a", "#1": "b", "#2": "c"])
  }

  @Test("numbers are read in whichever notation DynamoDB keeps them")
  func numbers() {
    #expect(AttributeValue.number("7").integer == 7)
    #expect(AttributeValue.number("7.0").integer == 7)
    #expect(AttributeValue.number("1E3").integer == 1000)
    #expect(AttributeValue.number("7.5").integer == nil)
    #expect(AttributeValue.number("9223372036854775807").integer == .max)
    #expect(AttributeValue.string("7").integer == nil)
    let moment = Timestamp(microseconds: 1_735_689_600_123_456)
    #expect(AttributeValue.timestamp(moment).timestamp == moment)
  }

  @Test("base64 has its padding, and only its own letters", arguments: 0..<70)
  func base64(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) }
    let text = Base64.encode(bytes)
    #expect(text.utf8.count == (count + 2) / 3 * 4)
    #expect(!text.contains("-") && !text.contains("_"))
    #expect(Base64.decode(text) == bytes)
  }

  @Test(
    "what is no base64 is not read",
    arguments: ["A", "AA", "AAA", "A===", "-_-_", "AB==", "AA=A", "====", "AA\n="])
  func noBase64(text: String) { #expect(Base64.decode(text) == nil) }

  @Test("known bytes are known letters")
  func knownBase64() {
    #expect(Base64.encode([251, 255, 254]) == "+//+")
    #expect(Base64.encode(Array("sure.".utf8)) == "c3VyZS4=")
    #expect(Base64.decode("") == [])
  }
}
