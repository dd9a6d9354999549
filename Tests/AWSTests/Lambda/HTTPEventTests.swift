import AWS
import HTTP
import Primitives
import Testing

@Suite("Requests and replies of an HTTP API, payload format 2.0")
struct HTTPEventTests {
  /// The event of the developer guide, with what a test is about in place of its own.
  private static func event(
    path: String = "/my/path", query: String = "", method: String = "POST", stage: String = "$default",
    _ changes: [String: JSONValue] = [:]
  ) -> [UInt8] {
    let event: [String: JSONValue] = [
      "version": "2.0", "routeKey": "$default", "rawPath": .string(path), "rawQueryString": .string(query),
      "headers": ["header1": "value1", "header2": "value1,value2", "host": "id.execute-api.example.com"],
      "requestContext": [
        "accountId": "123456789012", "apiId": "api-id",
        "domainName": "id.execute-api.us-east-1.amazonaws.com",
        "http": [
          "method": .string(method), "path": .string(path), "protocol": "HTTP/1.1", "sourceIp": "192.0.2.1",
          "userAgent": "agent",
        ],
        "requestId": "JKJaXmPLvHcESHA=", "routeKey": "$default", "stage": .string(stage),
        "time": "12/Mar/2020:19:03:58 +0000", "timeEpoch": 1_583_348_638_390,
      ],
      "isBase64Encoded": false,
    ]
    return JSONValue.object(event.merging(changes) { $1 }).serialized
  }

  private func request(_ event: [UInt8], basePath: String = "") throws -> HTTPRequest {
    guard case .request(let request) = try LambdaEvent(event, basePath: basePath, id: "invocation") else {
      throw LambdaFailure(type: "Test", message: "no request")
    }
    return request
  }

  @Test("a request with everything")
  func whole() throws {
    let request = try request(
      Self.event(
        query: "a=1&a=2&b=%C3%A5+x",
        ["cookies": ["one=1", "two=2"], "body": #"{"å":"ö"}"#, "isBase64Encoded": false]))
    #expect(request.method == .post)
    #expect(request.path == "/my/path")
    #expect(request.query == "a=1&a=2&b=%C3%A5+x")
    #expect(request.fields["Header2"] == "value1,value2")
    #expect(request.fields["Cookie"] == "one=1; two=2")
    #expect(request.body == Array(#"{"å":"ö"}"#.utf8))
    #expect(request.peer == "192.0.2.1")
    #expect(request.id == "JKJaXmPLvHcESHA=")
  }

  @Test("what is absent is empty, and a request without an id goes by the invocation's")
  func sparse() throws {
    let event = #"{"version":"2.0","rawPath":"/","requestContext":{"http":{"method":"GET"}}}"#
    let request = try request(Array(event.utf8))
    #expect(request.query == nil && request.body.isEmpty && request.peer == nil && request.fields.count == 0)
    #expect(request.id == "invocation")
  }

  @Test("a body in base64, as every form comes")
  func base64() throws {
    let event = Self.event(["body": "c2NvcGUlNUIlNUQ9YSZiPSUwMQ==", "isBase64Encoded": true])
    #expect(try request(event).body == Array("scope%5B%5D=a&b=%01".utf8))
    #expect(throws: LambdaFailure.self) {
      try request(Self.event(["body": "not base64!", "isBase64Encoded": true]))
    }
  }

  @Test(
    "the stage and the base path are taken away, once, and only as whole segments",
    arguments: [
      ("/v1/user/me", "$default", "", "/v1/user/me"), ("/prod/v1/user/me", "prod", "", "/v1/user/me"),
      ("/prod", "prod", "", "/"), ("/production/x", "prod", "", "/production/x"),
      ("/prod/prod/x", "prod", "", "/prod/x"), ("/api/v1/user/me", "$default", "/api", "/v1/user/me"),
      ("/prod/api/x", "prod", "/api", "/x"), ("/apis/x", "$default", "/api", "/apis/x"),
      ("/v1/x", "prod", "/api", "/v1/x"), ("/$default/x", "$default", "", "/$default/x"),
    ])
  func prefixes(raw: String, stage: String, basePath: String, path: String) throws {
    #expect(try request(Self.event(path: raw, stage: stage), basePath: basePath).path == path)
  }

  @Test(
    "a path that was unescaped on the way is one that can be read again",
    arguments: [
      ("/a b", "/a%20b"), ("/å", "/%C3%A5"), ("/a?b#c", "/a%3Fb%23c"), ("/100%", "/100%25"),
      ("/%zz", "/%25zz"),
      ("/a%2Fb", "/a%2Fb"), ("/x;y=1,2:3@4", "/x;y=1,2:3@4"), ("/a\nb", "/a%0Ab"),
    ])
  func unescaped(raw: String, path: String) throws {
    #expect(try request(Self.event(path: raw)).path == path)
  }

  @Test("a reply's status, fields and body")
  func reply() {
    let response = HTTPResponse(
      status: 201, fields: ["Content-Type": "application/json", "Allow": "GET", "allow": "POST"],
      body: Array(#"{"a":"å"}"#.utf8))
    #expect(
      JSONValue(json: response.lambdaResult) == [
        "statusCode": 201, "headers": ["Content-Type": "application/json", "Allow": "GET, POST"],
        "body": #"{"a":"å"}"#, "isBase64Encoded": false,
      ])
  }

  @Test("cookies have a place of their own, and a body that is no text goes in base64")
  func unusualReply() {
    let response = HTTPResponse(
      status: 200, fields: ["Set-Cookie": "a=1", "set-cookie": "b=2; Path=/"], body: [0xFF, 0x00, 0xFE])
    #expect(
      JSONValue(json: response.lambdaResult) == [
        "statusCode": 200, "headers": [:], "cookies": ["a=1", "b=2; Path=/"], "body": "/wD+",
        "isBase64Encoded": true,
      ])
  }
}
