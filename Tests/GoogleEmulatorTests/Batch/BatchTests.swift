import HTTP
import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct BatchTests {
  let bench = Bench()

  private func send(
    _ targets: [String], token: String, path: String = "/batch/gmail/v1", ids: Bool = true
  ) async -> Reply {
    var body = ""
    for (number, target) in targets.enumerated() {
      body += "--b\r\nContent-Type: application/http\r\n"
      if ids { body += "Content-ID: <item + \(number)>\r\n" }
      body += "\r\nGET \(target) HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n"
    }
    return await bench.send(
      .post, path,
      fields: ["Content-Type": "multipart/mixed; boundary=\"b\"", "Authorization": "Bearer \(token)"],
      body: Array((body + "--b--\r\n").utf8))
  }

  /// The status line and `Content-ID` of each part.
  private func parts(_ reply: Reply) -> [(id: String, status: String)] {
    let type = ParameterizedField(reply.response.fields["Content-Type"] ?? "")
    return MIMEParser.pieces(of: reply.response.body[...], boundary: type["boundary"] ?? "").map { piece in
      var rest = piece
      let headers = MailHeaders(parsing: &rest)
      let line = String(decoding: rest.prefix { $0 != 0x0D }, as: UTF8.self)
      return (headers["Content-ID"] ?? "", String(line.dropFirst("HTTP/1.1 ".count).prefix(3)))
    }
  }

  @Test(arguments: ["/batch", "/batch/gmail/v1"])
  func `each part gets its answer under its own id`(path: String) async {
    let token = await bench.mint().accessToken
    let id = await bench.deliver(Messages.plain())
    let targets = [
      "/gmail/v1/users/me/messages/\(id)?format=minimal", "/gmail/v1/users/me/messages/ffff",
      "https://gmail.googleapis.com/gmail/v1/users/me/profile", "/token",
    ]
    let reply = await send(targets, token: token, path: path)
    #expect(reply.status == 200)
    #expect(parts(reply).map(\.status) == ["200", "404", "200", "404"])
    #expect(parts(reply).map(\.id) == (0..<4).map { "<response-item + \($0)>" })
    #expect(reply.body.contains(#""id":"\#(id)""#))
  }

  @Test func `K2: single parts can fail inside an outer 200`() async {
    let token = await bench.mint().accessToken
    await bench.control("faults", ["endpoint": "gmail", "status": 429, "body": "{}", "times": 22])
    let reply = await send(Array(repeating: "/gmail/v1/users/me/profile", count: 100), token: token)
    #expect(reply.status == 200)
    #expect(
      parts(reply).map(\.status) == Array(repeating: "429", count: 22) + Array(repeating: "200", count: 78))
    let counts = await bench.control("requests", [:], .get).json
    #expect(counts["batch"] == 1 && counts["gmail"] == 100)
  }

  @Test func `K3: more than a hundred parts are refused as a whole`() async {
    let token = await bench.mint().accessToken
    let reply = await send(Array(repeating: "/gmail/v1/users/me/profile", count: 250), token: token)
    #expect(reply.status == 400)
    let message = "Inner request count exceeds the limit. Received: 250, Limit: 100"
    #expect(reply.json["error"]?["message"] == .string(message))
    #expect(await bench.control("requests", [:], .get).json["gmail"] == 0)
  }

  @Test func `parts have the outer credentials, or their own`() async {
    let outer = await bench.mint().accessToken
    let inner = await bench.mint(Bench.bob).accessToken
    let body = """
      --b
      Content-Type: application/http

      GET /gmail/v1/users/me/profile
      Authorization: Bearer \(inner)

      --b
      Content-Type: application/http

      GET /gmail/v1/users/me/profile

      --b--
      """
    let reply = await bench.send(
      .post, "/batch",
      fields: ["Content-Type": "multipart/mixed; boundary=b", "Authorization": "Bearer \(outer)"],
      body: Array(body.utf8))
    #expect(reply.body.contains(Bench.bob) && reply.body.contains(Bench.alice))
    #expect(parts(reply).map(\.id) == ["<response-1>", "<response-2>"])
  }

  @Test(arguments: [
    ("application/json", "{}"), ("multipart/mixed", "x"), ("multipart/mixed; boundary=b", "x"),
  ])
  func `what is no batch is 400`(type: String, body: String) async {
    let reply = await bench.send(.post, "/batch", fields: ["Content-Type": type], body: Array(body.utf8))
    #expect(reply.status == 400)
  }

  @Test func `the discovery document names the emulator everywhere`() async {
    for path in ["/discovery/v1/apis/gmail/v1/rest", "/$discovery/rest?version=v1"] {
      let document = await bench.get(path).json
      for name in ["rootUrl", "mtlsRootUrl", "baseUrl"] {
        #expect(document[name] == "http://127.0.0.1:4000/")
      }
      #expect(document["batchPath"] == "batch")
      let messages = document["resources"]?["users"]?["resources"]?["messages"]
      #expect(messages?["methods"]?["get"]?["path"] == "gmail/v1/users/{userId}/messages/{id}")
      #expect(
        messages?["resources"]?["attachments"]?["methods"]?["get"]?["response"] == ["$ref": "MessagePartBody"]
      )
    }
    #expect(await bench.get("/$discovery/rest?version=v2").status == 404)
  }
}
