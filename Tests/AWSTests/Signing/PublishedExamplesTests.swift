import AWS
import HTTP
import Primitives
import Testing

/// Signatures that AWS published: the Signature Version 4 test suite, the IAM User Guide's example, and those of the
/// Amazon S3 API Reference.
@Suite("AWS's published signatures")
struct PublishedExamplesTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = HTTPMethod.get
    var path = "/"
    var query: [(name: String, value: String)] = []
    var fields: HTTPFields = [:]
    var body = ""
    let signature: String
  }

  /// Of the suite: service `service` at 2015-08-30T12:36:00Z. Two of its requests have a path that no request line
  /// can hold; `BotocoreTests` has such paths as they are sent.
  static let suite = [
    Example(
      testDescription: "get-vanilla",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Example(
      testDescription: "get-vanilla-query-order-key-case",
      query: [("Param2", "value2"), ("Param1", "value1")],
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    Example(
      testDescription: "get-vanilla-query-order-value", query: [("Param1", "value2"), ("Param1", "value1")],
      signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
    Example(
      testDescription: "get-vanilla-utf8-query", query: [("ሴ", "bar")],
      signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
    Example(
      testDescription: "get-relative-relative", path: "/example1/example2/../..",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Example(
      testDescription: "get-slashes", path: "//example//",
      signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
    Example(
      testDescription: "get-header-value-trim",
      fields: ["My-Header1": " value1", "My-Header2": " \"a   b   c\""],
      signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    Example(
      testDescription: "get-header-key-duplicate",
      fields: ["My-Header1": "value2", "My-Header1": "value2", "My-Header1": "value1"],
      signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
    Example(
      testDescription: "post-vanilla", method: .post,
      signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    Example(
      testDescription: "post-x-www-form-urlencoded", method: .post,
      fields: ["Content-Type": "application/x-www-form-urlencoded"], body: "Param1=value1",
      signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
  ]

  @Test("each of the test suite's requests is signed as published", arguments: suite)
  func testSuite(example: Example) throws {
    let signed = try sign(
      example, service: "service", host: "example.amazonaws.com", at: 1_440_938_160,
      AWSCredentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")))
    #expect(signed == example.signature)
  }

  @Test("ListUsers of the IAM User Guide is signed as published")
  func listUsers() throws {
    let example = Example(
      testDescription: "", query: [("Action", "ListUsers"), ("Version", "2010-05-08")],
      fields: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      signature: "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7")
    let signed = try sign(
      example, service: "iam", host: "iam.amazonaws.com", at: 1_440_938_160,
      AWSCredentials(
        accessKeyID: "AKIDEXAMPLE", secretAccessKey: Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")))
    #expect(signed == example.signature)
  }

  static let storage = [
    Example(
      testDescription: "GET Object", path: "/test.txt", fields: ["Range": "bytes=0-9"],
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    Example(
      testDescription: "PUT Object", method: .put, path: "/test$file.text",
      fields: ["Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
      body: "Welcome to Amazon S3.",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    Example(
      testDescription: "GET Bucket Lifecycle", query: [("lifecycle", "")],
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    Example(
      testDescription: "List Objects", query: [("max-keys", "2"), ("prefix", "J")],
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ]

  @Test("each of S3's examples is signed as published", arguments: storage)
  func objectStorage(example: Example) throws {
    let signed = try sign(
      example, service: "s3", host: "examplebucket.s3.amazonaws.com", at: 1_369_353_600,
      AWSCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE",
        secretAccessKey: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")))
    #expect(signed == example.signature)
  }

  private func sign(
    _ example: Example, service: String, host: String, at seconds: Int64, _ credentials: AWSCredentials
  ) throws -> String? {
    let time = TimeSource(now: { Timestamp(seconds: seconds) }, sleep: { _ in })
    let signer = RequestSigner(service: service, region: "us-east-1", time: time)
    let request = AWSRequest(
      method: example.method, endpoint: try #require(ServiceEndpoint(url: "https://" + host)),
      path: example.path, query: example.query, fields: example.fields, body: Array(example.body.utf8))
    let authorization = signer.sign(request, with: credentials).fields["Authorization"]
    return authorization?.split(separator: "Signature=").last.map(String.init)
  }
}
