import AWS
import HTTP
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite("Renewing credentials")
struct RenewedCredentialsTests {
  /// Gives credentials that last an hour, numbered, unless it is told to fail or to wait.
  final class Source: CredentialSource {
    let clock: TestClock
    let gate = Gate()
    private let count = Atomic<Int>(0)
    let fails = Atomic<Bool>(false)

    init(_ clock: TestClock, isOpen: Bool = true) {
      self.clock = clock
      if isOpen { gate.open() }
    }

    var calls: Int { count.load(ordering: .relaxed) }

    func credentials(rejecting rejected: AWSCredentials?) async throws(CredentialError) -> AWSCredentials {
      let number = count.add(1, ordering: .relaxed).newValue
      await gate.pass()
      if fails.load(ordering: .relaxed) { throw .unavailable }
      return AWSCredentials(
        accessKeyID: "ASIA\(number)", secretAccessKey: Secret("s"), expiration: clock.now + .seconds(3600))
    }
  }

  private let clock = TestClock()

  @Test("they are kept until five minutes before their end, then renewed behind the caller")
  func renewal() async throws {
    let source = Source(clock)
    let renewed = RenewedCredentials(of: source, time: clock.source)
    for _ in 0..<3 { #expect(try await renewed.credentials(rejecting: nil).accessKeyID == "ASIA1") }
    clock.advance(by: .seconds(3300))
    #expect(try await renewed.credentials(rejecting: nil).accessKeyID == "ASIA1")
    #expect(source.calls == 1)
    clock.advance(by: .seconds(1))
    #expect(try await renewed.credentials(rejecting: nil).accessKeyID == "ASIA1")
    while try await renewed.credentials(rejecting: nil).accessKeyID == "ASIA1" { await Task.yield() }
    #expect(source.calls == 2)
  }

  @Test("however many wait, the source is asked once")
  func oneFlight() async throws {
    let source = Source(clock, isOpen: false)
    let renewed = RenewedCredentials(of: source, time: clock.source)
    let names = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try await renewed.credentials(rejecting: nil).accessKeyID } }
      await source.gate.arrival()
      source.gate.open()
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(names == ["ASIA1"])
    #expect(source.calls == 1)
  }

  @Test("while no new ones are to be had, the old ones serve until they end")
  func failures() async throws {
    let source = Source(clock)
    let renewed = RenewedCredentials(of: source, time: clock.source)
    _ = try await renewed.credentials(rejecting: nil)
    source.fails.store(true, ordering: .relaxed)
    clock.advance(by: .seconds(3599))
    #expect(try await renewed.credentials(rejecting: nil).accessKeyID == "ASIA1")
    clock.advance(by: .seconds(1))
    await #expect(throws: CredentialError.unavailable) { try await renewed.credentials(rejecting: nil) }
    source.fails.store(false, ordering: .relaxed)
    #expect(try await renewed.credentials(rejecting: nil).accessKeyID != "ASIA1")
  }

  @Test("those that AWS calls expired are replaced, and the call repeated once")
  func expired() async throws {
    let service = ScriptedService([.refusal("ExpiredTokenException"), .reply(200, "{}")])
    let source = Source(service.clock)
    let client = try service.client(credentials: RenewedCredentials(of: source, time: service.clock.source))
    _ = try await client.call(DynamoDBAction.putItem, [:])
    let keys = service.http.requests.compactMap { $0.fields["Authorization"]?.split(separator: "/").first }
    #expect(keys == ["AWS4-HMAC-SHA256 Credential=ASIA1", "AWS4-HMAC-SHA256 Credential=ASIA2"])
    #expect(service.pauses.isEmpty)
  }

  @Test("credentials that stay refused are the operator's to mend")
  func refused() async throws {
    for code in ["ExpiredTokenException", "UnrecognizedClientException"] {
      let service = ScriptedService([.refusal(code)])
      let source = Source(service.clock)
      let client = try service.client(credentials: RenewedCredentials(of: source, time: service.clock.source))
      await #expect(throws: AWSError.denied(code: code)) {
        try await client.call(DynamoDBAction.getItem, [:])
      }
      #expect(service.http.requests.count == 2)
    }
    let fixed = ScriptedService([.refusal("ExpiredTokenException")])
    await #expect(throws: AWSError.denied(code: "ExpiredTokenException")) {
      try await fixed.client().call(DynamoDBAction.getItem, [:])
    }
    #expect(fixed.http.requests.count == 1)
    let denied = ScriptedService([.refusal("AccessDeniedException")])
    await #expect(throws: AWSError.denied(code: "AccessDeniedException")) {
      try await denied.client().call(DynamoDBAction.getItem, [:])
    }
    #expect(denied.http.requests.count == 1)
  }

  @Test("without credentials nothing is sent")
  func none() async throws {
    let service = ScriptedService([.reply(200, "{}")])
    let source = Source(service.clock)
    source.fails.store(true, ordering: .relaxed)
    await #expect(throws: AWSError.noCredentials(.unavailable)) {
      try await service.client(credentials: source).call(DynamoDBAction.getItem, [:])
    }
    #expect(service.http.requests.isEmpty)
  }
}
