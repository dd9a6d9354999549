import AWS
import HTTP
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite("The runtime API's loop")
struct LambdaRuntimeTests {
  private let clock = TestClock()
  private let deadline = InvocationDeadline()

  /// What the platform says to each request in turn; when it has nothing more to say it is not there.
  private final class Platform: HTTPClient {
    private let answers: Mutex<[ScriptedHTTPClient.Answer]>
    private let sent = Mutex<[HTTPClientRequest]>([])
    init(_ answers: [ScriptedHTTPClient.Answer]) { self.answers = Mutex(answers) }

    var requests: [HTTPClientRequest] { sent.withLock { $0 } }
    var paths: [String] {
      requests.map { String($0.url.dropFirst("http://runtime.test/2018-06-01/runtime/".count)) }
    }

    func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
      sent.withLock { $0.append(request) }
      let answer = answers.withLock { $0.isEmpty ? .failure(.unreachable) : $0.removeFirst() }
      return try answer.get()
    }
  }

  private struct Handler: LambdaHandler {
    let body: @Sendable (LambdaInvocation) throws(LambdaFailure) -> [UInt8]
    init(_ body: @escaping @Sendable (LambdaInvocation) throws(LambdaFailure) -> [UInt8]) { self.body = body }
    func respond(to invocation: LambdaInvocation) async throws(LambdaFailure) -> [UInt8] {
      try body(invocation)
    }
  }

  private static let accepted = ScriptedHTTPClient.Answer.success(
    HTTPResponse(status: 202, body: Array(#"{"status":"OK"}"#.utf8)))

  private static func status(_ status: Int) -> ScriptedHTTPClient.Answer {
    .success(HTTPResponse(status: status))
  }

  private static func event(_ id: String, trace: String? = nil, body: String = "{}")
    -> ScriptedHTTPClient.Answer
  {
    var fields: HTTPFields = [
      "Lambda-Runtime-Aws-Request-Id": id, "Lambda-Runtime-Deadline-Ms": "1735689630000",
      "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:eu-west-1:123456789012:function:paypulse",
    ]
    if let trace { fields.append("Lambda-Runtime-Trace-Id", trace) }
    return .success(HTTPResponse(status: 200, fields: fields, body: Array(body.utf8)))
  }

  private func run(
    _ platform: Platform, log: Log = .silent, traces: @escaping @Sendable (String?) -> Void = { _ in },
    _ body: @escaping @Sendable (LambdaInvocation) throws(LambdaFailure) -> [UInt8]
  ) async -> Int32 {
    let runtime = LambdaRuntime(
      authority: "runtime.test", client: platform, deadline: deadline, publishTraceID: traces, log: log)
    return await runtime.run(Handler(body))
  }

  @Test("takes an event, answers it, and takes the next, one after the other")
  func answers() async {
    let platform = Platform([
      Self.event("first", body: #"{"n":1}"#), Self.accepted, Self.event("second", body: #"{"n":2}"#),
      Self.accepted,
    ])
    let code = await run(platform) { invocation in invocation.event }
    #expect(code == 1, "the platform is gone")
    #expect(
      platform.paths == [
        "invocation/next", "invocation/first/response", "invocation/next", "invocation/second/response",
        "invocation/next",
      ])
    #expect(platform.requests[1].body == Array(#"{"n":1}"#.utf8))
    #expect(platform.requests[3].body == Array(#"{"n":2}"#.utf8))
  }

  @Test("waits for the next event for years: the process may be frozen meanwhile")
  func patience() async {
    let platform = Platform([])
    _ = await run(platform) { _ in [] }
    #expect(platform.requests[0].timeout > .seconds(365 * 24 * 3600))
  }

  @Test("what a handler cannot do is the invocation's failure, told by type and message, and no answer")
  func failure() async {
    let platform = Platform([Self.event("one"), Self.accepted])
    let log = CapturedLog(clock: clock)
    _ = await run(platform, log: log.log) { _ throws(LambdaFailure) in throw .notDone("Not now.") }
    #expect(platform.paths == ["invocation/next", "invocation/one/error", "invocation/next"])
    let told = platform.requests[1]
    #expect(told.fields["Lambda-Runtime-Function-Error-Type"] == "Function.NotDone")
    #expect(
      JSONValue(json: told.body)
        == ["errorMessage": "Not now.", "errorType": "Function.NotDone", "stackTrace": []])
    #expect(log.count(of: "invocation_failed") == 1)
  }

  @Test("the deadline holds during the invocation, half a second early, and not between two")
  func deadlines() async {
    let platform = Platform([Self.event("one"), Self.accepted])
    let seen = Mutex<Timestamp?>(nil)
    _ = await run(platform) { [deadline] _ in
      seen.withLock { $0 = deadline.current }
      return []
    }
    #expect(seen.withLock { $0 } == Timestamp(microseconds: 1_735_689_629_500_000))
    #expect(deadline.current == nil)
  }

  @Test("each invocation's trace is made known, and that there is none")
  func traces() async {
    let platform = Platform([
      Self.event("one", trace: "Root=1-x"), Self.accepted, Self.event("two"), Self.accepted,
    ])
    let seen = Mutex<[String?]>([])
    _ = await run(platform, traces: { trace in seen.withLock { $0.append(trace) } }) { _ in [] }
    #expect(seen.withLock { $0 } == ["Root=1-x", nil])
  }

  @Test(
    "an answer that is too large or too late is logged, and the loop goes on",
    arguments: [(413, "answer_too_large"), (403, "answer_too_late"), (400, "answer_too_late")])
  func refusedAnswers(status: Int, event: String) async {
    let platform = Platform([Self.event("one"), Self.status(status), Self.event("two"), Self.accepted])
    let log = CapturedLog(clock: clock)
    _ = await run(platform, log: log.log) { _ in [] }
    #expect(platform.paths.contains("invocation/two/response"))
    #expect(log.count(of: event) == 1)
  }

  @Test("500 to anything ends the process at once", arguments: [true, false])
  func unusable(whileWaiting: Bool) async {
    let platform = Platform(
      whileWaiting ? [Self.status(500)] : [Self.event("one"), Self.status(500), Self.event("two")])
    #expect(await run(platform) { _ in [] } == 1)
    #expect(platform.requests.count == (whileWaiting ? 1 : 2))
  }

  @Test("an answer whose arrival is unknown is sent again")
  func repeats() async {
    let platform = Platform([
      Self.event("one"), .failure(.connectionLost), .failure(.timedOut), Self.accepted,
    ])
    _ = await run(platform) { _ in [1] }
    #expect(platform.paths.filter { $0 == "invocation/one/response" }.count == 3)
  }

  @Test("an invocation without id or deadline ends the process")
  func invalid() async {
    let platform = Platform([.success(HTTPResponse(status: 200, body: [])), Self.accepted])
    #expect(await run(platform) { _ in [] } == 1)
    #expect(platform.requests.count == 1)
  }

  @Test("a start that fails is told to the platform, and ends the process")
  func initialization() async {
    let platform = Platform([Self.accepted])
    let log = CapturedLog(clock: clock)
    let runtime = LambdaRuntime(
      authority: "runtime.test", client: platform, deadline: deadline, publishTraceID: { _ in }, log: log.log)
    let code = await runtime.failInitialization(LambdaFailure(type: "Runtime.Broken", message: "It is."))
    #expect(code == 1)
    #expect(platform.paths == ["init/error"])
    #expect(platform.requests[0].fields["Lambda-Runtime-Function-Error-Type"] == "Runtime.Broken")
    #expect(log.alerts.count == 1)
  }
}
