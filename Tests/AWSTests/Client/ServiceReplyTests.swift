import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("What a service's answer means")
struct ServiceReplyTests {
  private func outcome(_ answer: ScriptedHTTPClient.Answer) async throws -> Result<JSONValue, AWSError> {
    let client = try ScriptedService([answer]).client()
    do throws(AWSError) { return .success(try await client.call(DynamoDBAction.putItem, [:])) } catch {
      return .failure(error)
    }
  }

  struct Sample: Sendable {
    let status: Int
    let body: String
    var fields: HTTPFields = [:]
    let code: String
    let message: String
  }

  static let samples = [
    Sample(
      status: 400,
      body: #"{"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException","message":"m"}"#,
      code: "ResourceInUseException", message: "m"),
    Sample(
      status: 404, body: #"{"__type":"ResourceNotFoundException","message":"can't find"}"#,
      code: "ResourceNotFoundException", message: "can't find"),
    Sample(
      status: 400, body: #"{"__type":"ResourceNotFoundException","Message":"can't find"}"#,
      code: "ResourceNotFoundException", message: "can't find"),
    Sample(
      status: 400, body: #"{"__type":"InvalidCiphertextException"}"#, code: "InvalidCiphertextException",
      message: ""),
    Sample(
      status: 400, body: #"{"message":"m"}"#,
      fields: ["x-amzn-errortype": "ValidationException:http://internal.amazon.com/coral/"],
      code: "ValidationException", message: "m"),
    Sample(
      status: 400, body: #"{"__type":"AWS.SimpleQueueService.UnsupportedOperation"}"#,
      code: "AWS.SimpleQueueService.UnsupportedOperation", message: ""),
    Sample(status: 404, body: "", fields: ["X-Amzn-ErrorType": "NotFound"], code: "NotFound", message: ""),
    Sample(
      status: 404, body: "<?xml version=\"1.0\"?><Error><Code>NoSuchKey</Code><Message>m</Message></Error>",
      code: "NoSuchKey", message: ""),
  ]

  @Test("an error has its name and its message, wherever they stand", arguments: samples)
  func errors(sample: Sample) async throws {
    let failure = try #require(
      try await outcome(.reply(sample.status, sample.body, sample.fields)).failure?.failure)
    #expect(failure.code == sample.code)
    #expect(failure.message == Secret(sample.message))
  }

  @Test(
    "an answer without a name says nothing, whatever its status", arguments: [301, 400, 403, 404, 500, 503])
  func nameless(status: Int) async throws {
    for body in ["", "<html>no</html>", "{", "[]", #"{"__type":""}"#, #"{"__type":"two words"}"#] {
      #expect(try await outcome(.reply(status, body)).failure == .unavailable)
    }
  }

  @Test("a success must be a JSON object or empty")
  func success() async throws {
    #expect(try await outcome(.reply(200, "")).success == [:])
    #expect(try await outcome(.reply(200, #"{"a":1}"#, ["Content-Type": "text/html"])).success == ["a": 1])
    for body in ["<html>", "[1]", "null", "{", "\u{FEFF}{}"] {
      #expect(try await outcome(.reply(200, body)).failure == .unavailable)
    }
  }

  @Test("a condition that is not met gives the item that is there")
  func condition() async throws {
    let body = """
      {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",\
      "message":"The conditional request failed","Item":{"id":{"S":"a"},"fence":{"N":"7"}}}
      """
    let failure = try #require(try await outcome(.reply(400, body)).failure?.failure)
    #expect(failure.isConditionalCheckFailed)
    #expect(failure.item == ["id": "a", "fence": 7])
  }

  @Test("a cancelled transaction gives a reason for each write")
  func transaction() async throws {
    let body = """
      {"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"Transaction cancelled",\
      "CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"m","Item":{"id":{"S":"a"}}}]}
      """
    let failure = try #require(try await outcome(.reply(400, body)).failure?.failure)
    #expect(failure.isConditionalCheckFailed)
    #expect(
      failure.cancellationReasons == [
        CancellationReason(code: "None"),
        CancellationReason(code: "ConditionalCheckFailed", item: ["id": "a"]),
      ])
  }

  @Test("what a service repeats of a request is not shown by printing the error")
  func secrecy() async throws {
    let body = #"""
      {"__type":"ValidationException","message":"Value 'hemligt' at 'secretString' failed",
      "Item":{"token":{"S":"hemligt"}},"CancellationReasons":[{"Code":"X","Item":{"token":{"S":"hemligt"}}}]}
      """#
    let error = try #require(try await outcome(.reply(400, body)).failure)
    var dumped = ""
    dump(error, to: &dumped)
    let reasons = try #require(error.failure?.cancellationReasons)
    for text in ["\(error)", String(reflecting: error), dumped, "\(reasons)", String(reflecting: reasons)] {
      #expect(!text.contains("hemligt"), "\(text)")
    }
    #expect("\(error)".contains("ValidationException"))
  }
}

extension Result {
  var success: Success? { try? get() }
  var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
