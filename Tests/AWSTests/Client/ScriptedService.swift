import AWS
import HTTP
import Primitives
import Synchronization
import TestSupport

/// An AWS that answers by a list, and a clock that shows at once the time that a pause would have taken.
final class ScriptedService: Sendable {
  let http: ScriptedHTTPClient
  let clock: TestClock
  let log: CapturedLog
  private let slept = Mutex<[Duration]>([])
  private let answers: Answers

  /// What is answered, in order; the last answer stays. `delay` is how long each takes.
  init(_ answers: [ScriptedHTTPClient.Answer], delay: Duration = .zero) {
    let list = Answers(answers)
    self.answers = list
    let clock = TestClock()
    self.clock = clock
    log = CapturedLog(clock: clock)
    http = ScriptedHTTPClient { _ in
      clock.advance(by: delay)
      return list.next()
    }
  }

  /// The pauses that were made.
  var pauses: [Duration] { slept.withLock { $0 } }

  /// A client whose pauses are as long as they can be.
  func client(
    credentials: any CredentialSource = FixedCredentials(SignatureJudge.credentials(token: "token")),
    deadline: @escaping @Sendable () -> Timestamp? = { nil }
  ) throws -> AWSClient {
    AWSClient(
      configuration: try AWSConfiguration(environment: ["AWS_REGION": "eu-north-1"]),
      credentials: credentials,
      http: http,
      time: TimeSource(
        now: { self.clock.now },
        sleep: { pause in
          self.slept.withLock { $0.append(pause) }
          self.clock.advance(by: pause)
        }),
      random: RandomSource { Array(repeating: 0xFF, count: $0) }, log: log.log, deadline: deadline)
  }
}

private final class Answers: Sendable {
  private let rest: Mutex<[ScriptedHTTPClient.Answer]>

  init(_ answers: [ScriptedHTTPClient.Answer]) { rest = Mutex(answers) }

  func next() -> ScriptedHTTPClient.Answer {
    rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
  }
}

extension Result where Success == HTTPResponse, Failure == HTTPClientError {
  /// An answer with that body.
  static func reply(_ status: Int, _ body: String, _ fields: HTTPFields = [:]) -> Self {
    .success(HTTPResponse(status: status, fields: fields, body: Array(body.utf8)))
  }

  /// An error as DynamoDB writes it.
  static func refusal(_ code: String, status: Int = 400) -> Self {
    reply(status, #"{"__type":"com.amazonaws.dynamodb.v20120810#\#(code)","message":"no"}"#)
  }
}
