import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("Signatures as botocore makes them")
struct BotocoreTests {
  private func verdict(
    _ service: String, _ token: String?, _ change: (inout AWSRequest) -> Void
  ) async throws -> HTTPResponse {
    var request = AWSRequest(
      endpoint: try #require(ServiceEndpoint(url: "https://\(service).eu-north-1.amazonaws.com")))
    change(&request)
    let signer = RequestSigner(service: service, region: "eu-north-1", time: .system)
    return try await SignatureJudge.verdict(
      on: signer.sign(request, with: SignatureJudge.credentials(token: token)))
  }

  static let keys = [
    "plain.pdf", "a b.pdf", "Å.pdf", "A\u{30A}.pdf", "日本😀", "100%", "a%20b", "a+b", "a=b&c=d", "'()!*",
    "a:b;c",
    "@#?", "[x]{y}", "a//b", "a/./b", "a/../b", "~tilde_-.", "back\\slash", "\"quoted\"", "`|^<>",
    "trailing/",
    "tab\tin it", "a,b$c",
  ]

  @Test("an object of S3 with any key", arguments: keys, SignatureJudge.tokens)
  func anyKey(key: String, token: String?) async throws {
    for method in [HTTPMethod.put, .get, .head, .delete] {
      let answer = try await verdict("s3", token) { request in
        request.method = method
        request.path = "/bucket/rental-invoices/" + key
        if method == .put { request.body = Array("body of \(key)".utf8) }
      }
      #expect(answer.status == 200, "\(method) \(key): \(String(decoding: answer.body, as: UTF8.self))")
    }
  }

  static let queries: [[(name: String, value: String)]] = [
    [("list-type", "2"), ("prefix", "rental-invoices/å ä+ö/"), ("delimiter", "/")], [("delete", "")],
    [("b", "2"), ("a", "2"), ("a", "1"), ("A", "x")], [("a b", "c d"), ("é", "=&?#%")],
    [("a-", "1"), ("a", "2")],
    [("X-日本", "😀"), ("continuation-token", "1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=")],
  ]

  @Test("a query in any order, of any characters", arguments: queries.indices, SignatureJudge.tokens)
  func anyQuery(index: Int, token: String?) async throws {
    for service in ["s3", "execute-api"] {
      let answer = try await verdict(service, token) { request in
        request.method = .get
        request.query = Self.queries[index]
      }
      #expect(answer.status == 200, "\(service) \(index): \(String(decoding: answer.body, as: UTF8.self))")
    }
  }

  static let paths = [
    "/2015-03-31/functions/arn:aws:lambda:eu-north-1:123456789012:function:f/invocations", "/a b/å",
    "/a/../b/./c/",
    "/%41/ü%", "/x//y",
  ]

  @Test("the path of another service, which is encoded twice", arguments: paths, SignatureJudge.tokens)
  func anyPath(path: String, token: String?) async throws {
    let answer = try await verdict("lambda", token) { request in
      request.path = path
      request.body = Array("{}".utf8)
    }
    #expect(answer.status == 200, "\(path): \(String(decoding: answer.body, as: UTF8.self))")
  }

  static let fields: [HTTPFields] = [
    ["x-amz-meta-spaces": "a   b  c", "x-amz-meta-tab": "a\tb"],
    ["x-amz-copy-source-range": "bytes=0-9", "x-amz-copy-source": "/bucket/å"],
    ["x-amz-meta-name": "Åsa 日本", "X-AMZ-META-UPPER": "Value"], ["x-amz-meta-empty": ""],
    ["User-Agent": "PayPulse/1", "X-Amzn-Trace-Id": "Root=1", "Content-Type": "text/plain; charset=utf-8"],
  ]

  @Test("fields of any form", arguments: fields.indices, SignatureJudge.tokens)
  func anyFields(index: Int, token: String?) async throws {
    let answer = try await verdict("s3", token) { request in
      request.method = .put
      request.path = "/bucket/key"
      request.fields = Self.fields[index]
    }
    #expect(answer.status == 200, "\(index): \(String(decoding: answer.body, as: UTF8.self))")
  }

  @Test("a body of any bytes, and a form")
  func bodies() async throws {
    for body in [[], [0, 1, 255], Array("åäö".utf8), Array(repeating: UInt8(7), count: 3 << 20)] {
      let answer = try await verdict("sns", "a token") { request in
        request.fields = ["Content-Type": "application/x-www-form-urlencoded"]
        request.body = body
      }
      #expect(answer.status == 200, "\(body.count) bytes: \(String(decoding: answer.body, as: UTF8.self))")
    }
  }

  @Test("another key, body or field than was signed is found out")
  func forgery() async throws {
    let endpoint = try #require(ServiceEndpoint(url: "https://sqs.eu-north-1.amazonaws.com"))
    let request = AWSRequest(endpoint: endpoint, body: Array("{}".utf8))
    let signer = RequestSigner(service: "sqs", region: "eu-north-1", time: .system)
    let wrongKey = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret("wrong"))
    let good = signer.sign(request, with: SignatureJudge.credentials(token: "a token"))
    var forgeries = [signer.sign(request, with: wrongKey), good, good, good]
    forgeries[1].body = Array("{ }".utf8)
    forgeries[2].fields["X-Amz-Security-Token"] = "another"
    forgeries[3].fields["X-Amz-Target"] = "AmazonSQS.DeleteQueue"
    for forgery in forgeries { #expect(try await SignatureJudge.verdict(on: forgery).status == 403) }
    #expect(try await SignatureJudge.verdict(on: good).status == 200)
  }

  @Test("the signing key follows the day and the secret")
  func signingKeys() async throws {
    let clock = TestClock(at: Timestamp(seconds: 1_735_775_999))
    let signer = RequestSigner(service: "kms", region: "eu-north-1", time: clock.source)
    let request = AWSRequest(
      endpoint: try #require(ServiceEndpoint(url: "https://kms.eu-north-1.amazonaws.com")))
    let credentials = SignatureJudge.credentials(token: nil)
    func authorization(_ signer: RequestSigner, _ credentials: AWSCredentials) -> String? {
      signer.sign(request, with: credentials).fields["Authorization"]
    }
    func fresh(_ credentials: AWSCredentials) -> String? {
      authorization(RequestSigner(service: "kms", region: "eu-north-1", time: clock.source), credentials)
    }
    let other = AWSCredentials(accessKeyID: "AKIDOTHER", secretAccessKey: Secret("other"))
    let first = authorization(signer, credentials)
    #expect(first == fresh(credentials))
    clock.advance(by: .seconds(2))
    #expect(authorization(signer, credentials) == fresh(credentials))
    #expect(authorization(signer, credentials) != first)
    #expect(authorization(signer, other) == fresh(other))
  }
}
