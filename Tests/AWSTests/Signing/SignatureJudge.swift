import AWS
import Glibc
import HTTP
import Primitives
import Synchronization
import TestSupport
import Testing

/// botocore as a server that judges signatures. `SIGNATURE_JUDGE_URL` in the environment names another judge that
/// knows the same key, and answers 200 or 403 too.
enum SignatureJudge {
  /// The key that the judge knows, with and without a session token.
  static func credentials(token: String?) -> AWSCredentials {
    AWSCredentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
      sessionToken: token.map { Secret($0) })
  }

  /// Tokens as roles have them.
  static let tokens = [nil, "IQoJb3JpZ2luX2VjE+/=="]

  private static let shared = SharedJudge()

  /// What the judge says of `request`, which it gets instead of the request's own server.
  static func verdict(on request: HTTPClientRequest) async throws -> HTTPResponse {
    var copy = request
    let pathStart = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)[2]
      .drop { $0 != "/" }
    copy.url = try await shared.url() + pathStart
    return try await MotoWorld.http.send(copy)
  }
}

private actor SharedJudge {
  private var start: Task<PythonServer, any Error>?

  func url() async throws -> String {
    if let other = getenv("SIGNATURE_JUDGE_URL") { return String(cString: other) }
    let start = self.start ?? Task { try await PythonServer.start("acceptance/aws/signature_judge.py") }
    self.start = start
    return try await start.value.url
  }
}

/// Has each request judged before it goes to its server.
final class JudgedHTTPClient: HTTPClient {
  private let seen = Mutex<Set<String>>([])
  private let inner: any HTTPClient

  init(_ inner: any HTTPClient) { self.inner = inner }

  /// The targets of the requests that passed.
  var passed: Set<String> { seen.withLock { $0 } }

  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    let verdict: HTTPResponse
    do { verdict = try await SignatureJudge.verdict(on: request) } catch { throw .unreachable }
    let target = request.fields["X-Amz-Target"] ?? ""
    #expect(verdict.status == 200, "\(target): \(String(decoding: verdict.body, as: UTF8.self))")
    if verdict.status == 200 { seen.withLock { _ = $0.insert(target) } }
    return try await inner.send(request)
  }
}
