import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("SQS")
struct SQSTests {
  @Test("more messages than a batch takes all arrive")
  func batches() async throws {
    let client = try await MotoWorld.client()
    let queue = try await client.makeQueue("jobs")
    let bodies = (0..<23).map { #"{"user":"å \#($0)"}"# }
    try await SQS(client: client).sendMessages(bodies, to: queue)
    var received: Set<String> = []
    while received.count < bodies.count {
      let reply = try await client.call(
        QueueCreation.receiveMessage,
        ["QueueUrl": .string(queue), "MaxNumberOfMessages": 10, "WaitTimeSeconds": 0])
      let messages = try #require(reply["Messages"]?.array)
      received.formUnion(messages.compactMap { $0["Body"]?.string })
    }
    #expect(received == Set(bodies))
  }

  @Test("a batch stays below the limit of bytes")
  func size() async throws {
    let service = ScriptedService([.reply(200, "{}")])
    let body = String(repeating: "x", count: 100_000)
    try await SQS(client: try service.client()).sendMessages([body, body, body], to: "q")
    #expect(service.http.requests.map { $0.body.count / 100_000 } == [2, 1])
  }

  @Test("what the queue could not take is sent again, alone")
  func partialFailure() async throws {
    let service = ScriptedService([
      .reply(
        200, #"{"Successful":[{"Id":"0"}],"Failed":[{"Id":"1","Code":"InternalError","SenderFault":false}]}"#),
      .reply(200, #"{"Successful":[{"Id":"1"}]}"#),
    ])
    try await SQS(client: try service.client()).sendMessages(["a", "b"], to: "q")
    let second = try #require(JSONValue(json: service.http.requests[1].body))
    #expect(second["Entries"] == [["Id": "1", "MessageBody": "b"]])
  }

  @Test("what it never takes is a failure, what it does not take for now in the end too")
  func failures() async throws {
    let hopeless = ScriptedService([
      .reply(200, #"{"Failed":[{"Id":"0","Code":"InvalidMessageContents","SenderFault":true}]}"#)
    ])
    await #expect(throws: AWSError.service(ServiceFailure(code: "InvalidMessageContents"))) {
      try await SQS(client: hopeless.client()).sendMessages(["a"], to: "q")
    }
    let busy = ScriptedService([.reply(200, #"{"Failed":[{"Id":"0","Code":"x","SenderFault":false}]}"#)])
    await #expect(throws: AWSError.unavailable) {
      try await SQS(client: busy.client()).sendMessages(["a"], to: "q")
    }
    #expect(busy.http.requests.count == RetryPolicy().maximumAttempts)
  }
}
