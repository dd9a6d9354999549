import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("Making a secret whose name was just freed")
struct CreateSecretTests {
  private static let refused = ScriptedHTTPClient.Answer.reply(
    400,
    #"""
    {"__type":"InvalidRequestException","Message":
    "You can't create this secret because a secret with this name is already scheduled for deletion."}
    """#)

  private func create(_ service: ScriptedService, patience: Duration) async throws {
    try await SecretsManager(client: try service.client()).createSecret(
      "gmail/user/u", Secret("hemligt"), version: "v", patience: patience)
  }

  @Test("is refused for seconds, and repeated for as long as the caller has patience")
  func patience() async throws {
    let service = ScriptedService([Self.refused, Self.refused, Self.refused, .reply(200, "{}")])
    try await create(service, patience: .seconds(10))
    #expect(service.http.requests.count == 4)
    #expect(Set(service.http.requests.map(\.body)).count == 1)
  }

  @Test("a caller without patience is told at once, one with some when it is over", arguments: [0, 5])
  func impatience(seconds: Int64) async throws {
    let service = ScriptedService([Self.refused])
    let start = service.clock.now
    do {
      try await create(service, patience: .seconds(seconds))
      Issue.record("it was made")
    } catch let error as AWSError {
      #expect(error.failure?.isScheduledForDeletion == true)
    }
    #expect(service.clock.now - start >= .seconds(seconds))
    #expect(service.clock.now - start <= .seconds(seconds + 3))
    #expect((service.http.requests.count == 1) == (seconds == 0))
  }

  @Test("another refusal is not repeated")
  func otherRefusal() async throws {
    let service = ScriptedService([.refusal("LimitExceededException")])
    await #expect(throws: AWSError.self) { try await create(service, patience: .seconds(10)) }
    #expect(service.http.requests.count == 1)
  }

  @Test("a removal whose first answer was lost has worked when the second says so")
  func lostAnswer() async throws {
    let marked = ScriptedHTTPClient.Answer.reply(
      400, #"{"__type":"InvalidRequestException","Message":"the secret was marked for deletion"}"#)
    let lost = ScriptedService([.failure(.timedOut), marked])
    try await SecretsManager(client: try lost.client()).deleteSecret("s", .afterWindow(days: 7))
    let plain = ScriptedService([marked])
    await #expect(throws: AWSError.self) {
      try await SecretsManager(client: try plain.client()).deleteSecret("s", .afterWindow(days: 7))
    }
  }
}
