import AWS
import Domain
import HTTP
import Primitives
import Testing

@Suite("Events by their shapes")
struct LambdaEventTests {
  private func read(_ json: String) throws(LambdaFailure) -> LambdaEvent {
    try LambdaEvent(Array(json.utf8), id: "invocation")
  }

  @Test("an EventBridge schedule, with or without a version")
  func schedule() throws {
    for version in [#""version":"0","#, ""] {
      let event = try read(
        "{\(version)\"id\":\"53dc\",\"detail-type\":\"Scheduled Event\",\"source\":\"aws.events\",\"detail\":{}}"
      )
      guard case .schedule = event else {
        Issue.record("not a schedule")
        return
      }
    }
  }

  @Test("messages of a queue, each with its id and what it asks for")
  func queue() throws {
    let record = { (id: String, body: String) in
      JSONValue.object([
        "messageId": .string(id), "receiptHandle": "x", "body": .string(body), "attributes": [:],
        "eventSource": "aws:sqs", "awsRegion": "eu-west-1",
      ])
    }
    let task = QueuedTask.useGrant(UserID("user_1"))
    let event = try LambdaEvent(
      JSONValue.object(["Records": [record("a", task.message), record("b", "{}"), record("c", "text")]])
        .serialized, id: "x")
    guard case .messages(let messages) = event else {
      Issue.record("not messages")
      return
    }
    #expect(messages.map(\.id) == ["a", "b", "c"])
    #expect(messages.map(\.task) == [task, nil, nil])
  }

  @Test("the result of a batch names the messages that failed, and only those")
  func batchResult() throws {
    #expect(QueueMessage.result(failed: []) == Array(#"{"batchItemFailures":[]}"#.utf8))
    let event = try read(
      #"{"Records":[{"messageId":"m1","eventSource":"aws:sqs","body":""},{"messageId":"m2","eventSource":"aws:sqs"}]}"#
    )
    guard case .messages(let messages) = event else {
      Issue.record("not messages")
      return
    }
    #expect(
      JSONValue(json: QueueMessage.result(failed: [messages[1]]))
        == ["batchItemFailures": [["itemIdentifier": "m2"]]])
  }

  @Test("what the operator asks for")
  func commands() throws {
    let expected: [(String, OperatorEvent)] = [
      (#"{"operator":"connections"}"#, .connections),
      (#"{"operator":"restore","email":"a@b.example"}"#, .restore(email: "a@b.example")),
      (
        #"{"operator":"set-password","email":"a@b.example","password":"new"}"#,
        .setPassword(email: "a@b.example", password: Secret("new"))
      ),
      (
        #"{"operator":"check-connection","email":"a@b.example","concurrent":4,"show_latest":true}"#,
        .checkConnection(email: "a@b.example", concurrent: 4, showsLatest: true)
      ),
    ]
    for (json, command) in expected {
      guard case .command(let read) = try read(json) else {
        Issue.record("not a command: \(json)")
        return
      }
      #expect(read == command)
    }
  }

  @Test(
    "anything else is a failure that says what is wrong, and never what was in it",
    arguments: [
      ("{", "not JSON"), ("[]", "not a JSON object"), ("{}", "(none)"), (#"{"secret":"hunter2"}"#, "secret"),
      (#"{"Records":[{"eventSource":"aws:s3","s3":{}}]}"#, "aws:s3"),
      (#"{"Records":[{"eventSource":"aws:dynamodb"}]}"#, "aws:dynamodb"), (#"{"Records":[]}"#, "records"),
      (#"{"Records":[{"eventSource":"aws:sqs","body":"x"}]}"#, "no id"),
      (#"{"version":"1.0","requestContext":{},"httpMethod":"GET"}"#, "set it to 2.0"),
      (#"{"httpMethod":"GET","path":"/"}"#, "set it to 2.0"),
      (#"{"version":"2.0","requestContext":{"http":{}}}"#, "no method"),
      (#"{"operator":"drop-tables"}"#, "commands are"), (#"{"operator":"restore"}"#, "'email'"),
      (#"{"operator":"set-password","email":"a"}"#, "'password'"),
      (#"{"operator":"check-connection","email":"a","concurrent":0}"#, "'concurrent'"),
      (#"{"Service":"Amazon S3","Event":"s3:TestEvent"}"#, "Event, Service"),
    ])
  func unknown(json: String, says: String) {
    let failure = #expect(throws: LambdaFailure.self) { try read(json) }
    #expect(failure?.type == "Function.UnknownEvent")
    #expect(failure?.message.contains(says) ?? false, "\(failure?.message ?? "")")
    #expect(!(failure?.message.contains("hunter2") ?? true))
  }
}
