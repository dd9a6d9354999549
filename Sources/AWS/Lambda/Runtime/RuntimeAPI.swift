import HTTP
import Primitives

/// The platform's own HTTP interface, by which a process takes invocations and answers them.
///
/// Source: AWS Lambda Developer Guide, "Using the Lambda runtime API for custom runtimes".
struct RuntimeAPI: Sendable {
  /// Why the process has to end: there is no way to the platform, or it says that this process is unusable.
  enum Failure: Error, Sendable, Hashable {
    case unreachable
    case refused(status: Int)
    case invalidInvocation
  }

  /// What the platform says to an answer.
  enum Verdict: Sendable, Hashable {
    case accepted
    /// The answer is too large; the caller is told so.
    case tooLarge
    /// The invocation is over: it was answered already, or took too long.
    case late
  }

  /// The process is frozen between two invocations, for hours perhaps: waiting for the next has no end.
  static let patience: Duration = .seconds(10 * 365 * 24 * 3600)
  /// Events have at most 6 MiB, 1 MiB when they are asynchronous.
  private static let largestEvent = 8 << 20
  private static let timeout: Duration = .seconds(10)
  private static let attempts = 3

  private let base: String
  private let client: any HTTPClient

  /// The interface at `authority`, the value of `AWS_LAMBDA_RUNTIME_API`.
  init(authority: String, client: any HTTPClient) {
    base = "http://" + authority + "/2018-06-01/runtime/"
    self.client = client
  }

  /// The next invocation, whenever it comes.
  func next() async throws(Failure) -> LambdaInvocation {
    let request = HTTPClientRequest(
      method: .get, url: base + "invocation/next", timeout: Self.patience,
      maximumBodySize: Self.largestEvent)
    let response: HTTPResponse
    do throws(HTTPClientError) { response = try await client.send(request) } catch { throw .unreachable }
    guard response.status == 200 else { throw .refused(status: response.status) }
    guard let id = response.fields["Lambda-Runtime-Aws-Request-Id"], !id.isEmpty,
      let deadline = response.fields["Lambda-Runtime-Deadline-Ms"].flatMap({ Int64($0) }), deadline > 0,
      !deadline.multipliedReportingOverflow(by: 1000).overflow
    else { throw .invalidInvocation }
    return LambdaInvocation(
      id: id, deadline: Timestamp(microseconds: deadline * 1000),
      traceID: response.fields["Lambda-Runtime-Trace-Id"], event: response.body)
  }

  /// Answers the invocation `id` with `result`.
  func answer(_ id: String, with result: [UInt8]) async throws(Failure) -> Verdict {
    try await post("invocation/" + id + "/response", result, fields: [:])
  }

  /// Says that the invocation `id` failed.
  func fail(_ id: String, with failure: LambdaFailure) async throws(Failure) -> Verdict {
    try await post("invocation/" + id + "/error", failure.body, fields: Self.fields(of: failure))
  }

  /// Says that this process cannot begin.
  func failInitialization(with failure: LambdaFailure) async throws(Failure) {
    _ = try await post("init/error", failure.body, fields: Self.fields(of: failure))
  }

  private static func fields(of failure: LambdaFailure) -> HTTPFields {
    ["Lambda-Runtime-Function-Error-Type": failure.type]
  }

  /// Sent again when nobody knows whether it arrived: the platform takes one answer an invocation.
  private func post(_ path: String, _ body: [UInt8], fields: HTTPFields) async throws(Failure) -> Verdict {
    var fields = fields
    fields["Content-Type"] = "application/json"
    let request = HTTPClientRequest(
      method: .post, url: base + path, fields: fields, body: body, timeout: Self.timeout)
    return try Self.verdict(try await send(request, attempts: Self.attempts))
  }

  private func send(_ request: HTTPClientRequest, attempts: Int) async throws(Failure) -> HTTPResponse {
    for _ in 0..<attempts {
      do throws(HTTPClientError) { return try await client.send(request) } catch { continue }
    }
    throw .unreachable
  }

  private static func verdict(_ response: HTTPResponse) throws(Failure) -> Verdict {
    switch response.status {
    case 200..<300: return .accepted
    case 400, 403: return .late
    case 413: return .tooLarge
    default: throw .refused(status: response.status)
    }
  }
}
