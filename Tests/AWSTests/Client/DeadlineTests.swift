import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("A call's deadline")
struct DeadlineTests {
  @Test("an attempt gets no more time than is left")
  func timeouts() async throws {
    let service = ScriptedService([.reply(200, "{}")])
    let start = service.clock.now
    let client = try service.client { start + .milliseconds(700) }
    _ = try await client.call(DynamoDBAction.getItem, [:])
    service.clock.advance(by: .milliseconds(600))
    _ = try await client.call(DynamoDBAction.getItem, [:])
    #expect(service.http.requests.map(\.timeout) == [.milliseconds(700), .milliseconds(100)])
    service.clock.advance(by: .milliseconds(100))
    await #expect(throws: AWSError.timedOut) { try await client.call(DynamoDBAction.getItem, [:]) }
    #expect(service.http.requests.count == 2)
  }

  @Test("a pause that would outlast the deadline is not made")
  func pauses() async throws {
    let service = ScriptedService([.refusal("ThrottlingException")])
    let end = service.clock.now + .milliseconds(500)
    await #expect(throws: AWSError.throttled) {
      try await service.client(deadline: { end }).call(DynamoDBAction.getItem, [:])
    }
    #expect(service.http.requests.count == 2)
    #expect(service.clock.now < end)
  }

  @Test("without one, a call takes no longer than its own limit, however slow the service")
  func ownLimit() async throws {
    let service = ScriptedService([.failure(.timedOut)], delay: .seconds(4))
    let start = service.clock.now
    await #expect(throws: AWSError.timedOut) {
      try await service.client().call(DynamoDBAction.getItem, [:])
    }
    #expect(service.clock.now - start <= .seconds(13))
    #expect(service.http.requests.last.map { $0.timeout <= .seconds(4) } == true)
  }

  @Test("what is asked again for being left undone ends with the deadline too")
  func unprocessed() async throws {
    let left = #"{"Responses":{},"UnprocessedKeys":{"t":{"Keys":[{"id":{"S":"a"}}]}}}"#
    let service = ScriptedService([.reply(200, left)], delay: .milliseconds(10))
    let end = service.clock.now + .seconds(2)
    let database = DynamoDB(client: try service.client { end })
    await #expect(throws: AWSError.timedOut) {
      try await database.batchGetItems([.init(table: "t", keys: [["id": "a"]])])
    }
    #expect(service.clock.now < end)
  }

  @Test("a cancelled task ends its call")
  func cancellation() async throws {
    let http = ScriptedHTTPClient { _ in .failure(.cancelled) }
    let client = AWSClient(
      configuration: try #require(AWSConfiguration(region: "eu-north-1")),
      credentials: FixedCredentials(SignatureJudge.credentials(token: nil)), http: http, time: .system,
      random: .system, log: .silent)
    await #expect(throws: AWSError.cancelled) { try await client.call(DynamoDBAction.getItem, [:]) }
    #expect(http.requests.count == 1)
  }
}
