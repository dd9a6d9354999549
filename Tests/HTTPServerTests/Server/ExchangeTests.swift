import Glibc
import HTTP
import Testing

@testable import HTTPServer

@Suite struct ExchangeTests {
  @Test func answersRequestsInARowOnOneConnection() async throws {
    try await withServer { server in
      try await onThread {
        let client = try TestClient(server)
        for path in ["/a", "/b", "/c"] { #expect(try client.exchange(get(path)).text == "GET \(path) []") }
      }
    }
  }

  @Test func answersPipelinedRequestsInTheirOrder() async throws {
    try await withServer(responder: Self.slowOrEcho) { server in
      try await onThread {
        let client = try TestClient(server)
        let post = "POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"
        client.send(
          get("/a") + get("/slow") + post + get("/slow") + get("/b", "Connection: close\r\n") + get("/never"))
        let texts = try (0..<5).map { _ in try client.readReply().text }
        #expect(texts == ["GET /a []", "GET /slow []", "POST /p [hi]", "GET /slow []", "GET /b []"])
        #expect(try client.isAtEnd())
      }
    }
  }

  @Test func answersARequestThatComesByteByByte() async throws {
    try await withServer { server in
      try await onThread {
        let client = try TestClient(server)
        let request =
          "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"
        for byte in (request + request).utf8 { client.send([byte]) }
        #expect(try client.readReply().text == "POST /c [abcd]")
        #expect(try client.readReply().text == "POST /c [abcd]")
      }
    }
  }

  @Test func answersHEADWithoutABodyAndStaysInStep() async throws {
    try await withServer { server in
      try await onThread {
        let client = try TestClient(server)
        let reply = try client.exchange("HEAD /h HTTP/1.1\r\nHost: x\r\n\r\n", hasBody: false)
        #expect(reply.field("Content-Length") == "10")
        #expect(try client.exchange(get()).text == "GET / []")
      }
    }
  }

  @Test func asksForABodyThatIsHeldBack() async throws {
    try await withServer { server in
      try await onThread {
        let client = try TestClient(server)
        client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.readReply(hasBody: false).status == 100)
        client.send("hi")
        #expect(try client.readReply().text == "POST / [hi]")
      }
    }
  }

  @Test func answersAClientThatHasFinishedSending() async throws {
    try await withServer(responder: Self.slowOrEcho) { server in
      try await onThread {
        let client = try TestClient(server)
        client.send(get("/slow") + get("/b"))
        client.finish()
        #expect(try client.readReply().text == "GET /slow []")
        #expect(try client.readReply().text == "GET /b []")
        #expect(try client.isAtEnd())
      }
    }
  }

  @Test func sendsAResponseOfManyMegabytesWhole() async throws {
    let part = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 8) }
    let body = (0..<12).reduce(into: [UInt8]()) { whole, _ in whole += part }
    try await withServer(responder: Answer { _ in HTTPResponse(status: 200, body: body) }) { server in
      try await onThread {
        let client = try TestClient(server)
        client.send(get() + get())
        for _ in 0..<2 {
          let isSame = try client.readReply().body == body
          #expect(isSame)
        }
      }
    }
  }

  @Test func refusesOnceThenCloses() async throws {
    let log = LogLines()
    try await withServer(log: log) { server in
      try await onThread {
        let client = try TestClient(server)
        client.send(get("/a") + "GET /secret HTTP/1.1\r\n\r\n" + get("/hidden"))
        #expect(try client.readReply().text == "GET /a []")
        let refusal = try client.readReply()
        #expect(refusal.text == "refused 400 \(refusal.field("X-Request-Id") ?? "")")
        #expect(refusal.field("Connection") == "close")
        #expect(try client.isAtEnd())
      }
    }
    #expect(log.all.last?.contains(#""method":"GET","route":"-","status":400,"duration_ms":"#) == true)
  }

  @Test func refusesABodyOverTheLimitInTheMidstOfSending() async throws {
    try await withServer { server in
      try await onThread {
        let client = try TestClient(server)
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        client.send([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(try client.readReply().status == 413)
        #expect(try client.isAtEnd())
      }
    }
  }

  @Test func resetsTheConnectionForStatusZero() async throws {
    try await withServer(responder: Answer { _ in HTTPResponse(status: 0) }) { server in
      try await onThread {
        let client = try TestClient(server)
        client.send(get())
        #expect(throws: TestClient.Failure.self) { try client.readToEnd() }
      }
    }
  }

  @Test func namesEachRequestInResponseAndLogAndLogsNoPath() async throws {
    let log = LogLines()
    let answer = Answer { HTTPResponse(status: 201, body: Array($0.id.utf8), route: "/v1/{id}") }
    let ids = try await withServer(log: log, responder: answer) { server in
      try await onThread {
        let client = try TestClient(server)
        return try (0..<2).map { _ in
          let reply = try client.exchange(get("/v1/secret-path?secret-query", "Cookie: secret-field\r\n"))
          #expect(reply.text == reply.field("X-Request-Id"))
          return reply.text
        }
      }
    }
    #expect(Set(ids).count == 2)
    #expect(log.all.count == 2)
    for (id, line) in zip(ids, log.all) {
      #expect(
        line.contains(#""event":"request","id":"\#(id)","method":"GET","route":"/v1/{id}","status":201"#))
      #expect(!line.contains("secret"))
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost", "::1", "[::1]"])
  func listensOnAddressesAndNames(_ host: String) async throws {
    let answer = Answer { HTTPResponse(status: 200, body: Array(($0.peer ?? "").utf8)) }
    try await withServer(host: host, responder: answer) { server in
      #expect(server.address.port != 0)
      let peer = try await onThread { try TestClient(server).exchange(get()).text }
      #expect(peer == server.address.host)
    }
  }

  @Test func saysWhyItCannotListen() async throws {
    try await withServer { server in
      let port = server.address.port
      let error = #expect(throws: HTTPServerError.self) { _ = try HTTPServer.echoing(port: port) }
      #expect(error?.description.contains("in use") == true)
    }
  }

  /// `/slow` is suspended on its way.
  private static let slowOrEcho = Answer { request in
    if request.path == "/slow" { await Task.detached { await Task.yield() }.value }
    return await Answer.echo.body(request)
  }
}
