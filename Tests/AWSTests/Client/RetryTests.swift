import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("Repeating a call")
struct RetryTests {
  private static let success = ScriptedHTTPClient.Answer.reply(200, "{}")
  private static let table = JSONValue.object(["TableName": "t"])

  private func outcome(
    of action: some AWSAction, _ service: ScriptedService, isRepeatable: Bool? = nil
  ) async throws -> AWSError? {
    let client = try service.client()
    do throws(AWSError) { _ = try await client.call(action, Self.table, isRepeatable: isRepeatable) } catch {
      return error
    }
    return nil
  }

  /// Nothing was done, for certain.
  static let undone: [ScriptedHTTPClient.Answer] = [
    .refusal("ProvisionedThroughputExceededException"), .refusal("ThrottlingException"), .reply(429, ""),
    .failure(.unreachable), .refusal("TransactionConflictException"),
    .reply(
      400,
      #"{"__type":"x#TransactionCanceledException","CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict"}]}"#
    ),
  ]

  /// It may have been done.
  static let unknown: [ScriptedHTTPClient.Answer] = [
    .refusal("InternalServerError", status: 500), .reply(503, "<html>"), .failure(.timedOut),
    .failure(.connectionLost), .refusal("ServiceUnavailable", status: 503), .reply(200, "<html>"),
  ]

  @Test("what was certainly not done is done again, whatever it is", arguments: undone.indices)
  func repeatsUndone(index: Int) async throws {
    let service = ScriptedService([Self.undone[index], Self.undone[index], Self.success])
    #expect(try await outcome(of: DynamoDBAction.putItem, service) == nil)
    #expect(service.http.requests.count == 3)
  }

  @Test("what may have been done is done again only where that is safe", arguments: unknown.indices)
  func repeatsUnknown(index: Int) async throws {
    let answers = [Self.unknown[index], Self.success]
    #expect(try await outcome(of: DynamoDBAction.getItem, ScriptedService(answers)) == nil)
    #expect(try await outcome(of: DynamoDBAction.transactWriteItems, ScriptedService(answers)) == nil)
    #expect(try await outcome(of: SecretsManagerAction.putSecretValue, ScriptedService(answers)) == nil)
    #expect(
      try await outcome(of: DynamoDBAction.putItem, ScriptedService(answers), isRepeatable: true) == nil)
    let service = ScriptedService(answers)
    let error = try #require(try await outcome(of: DynamoDBAction.putItem, service))
    #expect(error.mayHaveBeenDone)
    #expect(service.http.requests.count == 1)
  }

  @Test("a repetition sends the same body, so the same token")
  func token() async throws {
    let service = ScriptedService([.failure(.timedOut), .failure(.connectionLost), Self.success])
    try await DynamoDB(client: try service.client()).transactWriteItems([.put(table: "t", ["id": "a"])])
    #expect(service.http.requests.count == 3)
    #expect(Set(service.http.requests.map(\.body)).count == 1)
    let body = try #require(JSONValue(json: service.http.requests[0].body))
    #expect(body["ClientRequestToken"]?.string?.count == 36)
  }

  @Test("pauses grow, more after throttling, up to a limit, and the calls end")
  func pauses() async throws {
    let down = ScriptedService([.failure(.unreachable)])
    #expect(try await outcome(of: DynamoDBAction.getItem, down) == .unreachable)
    #expect(down.pauses.map { Int($0 / .milliseconds(1) + 0.5) } == [50, 100, 200])
    let busy = ScriptedService([.refusal("ThrottlingException")])
    #expect(try await outcome(of: DynamoDBAction.getItem, busy) == .throttled)
    #expect(busy.pauses.map { Int($0 / .milliseconds(1) + 0.5) } == [200, 400, 800])
  }

  @Test("no pause where the random number is nought")
  func jitter() async throws {
    var policy = RetryPolicy()
    policy.maximumAttempts = 2
    let http = ScriptedHTTPClient { _ in .failure(.unreachable) }
    let slept = ScriptedService([Self.success])
    let client = AWSClient(
      configuration: try #require(AWSConfiguration(region: "eu-north-1")),
      credentials: FixedCredentials(SignatureJudge.credentials(token: nil)), http: http,
      time: TimeSource(now: { slept.clock.now }, sleep: { #expect($0 == .zero) }),
      random: RandomSource { Array(repeating: 0, count: $0) }, log: .silent, policy: policy)
    await #expect(throws: AWSError.unreachable) { try await client.call(KMSAction.decrypt, [:]) }
    #expect(http.requests.count == 2)
  }

  @Test("a refusal is not repeated")
  func refusal() async throws {
    for code in ["ConditionalCheckFailedException", "ValidationException", "LimitExceededException"] {
      let service = ScriptedService([.refusal(code), Self.success])
      #expect(try await outcome(of: DynamoDBAction.getItem, service)?.failure?.code == code)
      #expect(service.http.requests.count == 1)
    }
    let reasons = #"[{"Code":"ConditionalCheckFailed"},{"Code":"TransactionConflict"}]"#
    let mixed = ScriptedService([
      .reply(400, #"{"__type":"x#TransactionCanceledException","CancellationReasons":\#(reasons)}"#),
      Self.success,
    ])
    #expect(
      try await outcome(of: DynamoDBAction.transactWriteItems, mixed)?.failure?.isConditionalCheckFailed
        == true)
    #expect(mixed.http.requests.count == 1)
  }

  @Test("a refusal after an unknown outcome says that it may be of a repetition")
  func ownWrite() async throws {
    let conditional = ScriptedHTTPClient.Answer.refusal("ConditionalCheckFailedException")
    let after = try await outcome(
      of: DynamoDBAction.putItem, ScriptedService([.failure(.timedOut), conditional]), isRepeatable: true)
    #expect(after?.failure?.followsUnknownOutcome == true)
    #expect(after?.mayHaveBeenDone == true)
    let alone = try await outcome(of: DynamoDBAction.putItem, ScriptedService([conditional]))
    #expect(alone?.failure?.followsUnknownOutcome == false)
    let later = try await outcome(
      of: DynamoDBAction.getItem, ScriptedService([.failure(.timedOut), .failure(.unreachable)]))
    #expect(later == .unavailable)
  }

  @Test("each repetition has a line in the log, without anything of the request")
  func log() async throws {
    let service = ScriptedService([.refusal("ThrottlingException"), Self.success])
    _ = try await SecretsManager(client: try service.client()).putSecretValue(
      "gmail/user/u", Secret("hemligt"), version: "v")
    #expect(service.log.lines.count == 1)
    #expect(service.log.lines[0].contains(#""action":"PutSecretValue","attempt":1,"reason":"throttled""#))
    #expect(!service.log.lines[0].contains("hemligt"))
  }
}
