import Curl
import HTTP
import Synchronization
import Testing

@Suite("Failures of the libcurl client", .timeLimit(.minutes(1)))
struct CurlFailureTests {
  private let client = CurlHTTPClient()

  private func get(_ url: String, timeout: Duration = .seconds(20), limit: Int = 1 << 20) async throws
    -> HTTPResponse
  {
    try await client.send(HTTPClientRequest(method: .get, url: url, timeout: timeout, maximumBodySize: limit))
  }

  @Test("A server that never answers costs the given time, not more")
  func silent() async throws {
    let server = ScriptedServer { $0.waitUntilClosed() }
    let clock = ContinuousClock()
    let duration = await clock.measure {
      await #expect(throws: HTTPClientError.timedOut) {
        try await get(server.url(), timeout: .milliseconds(200))
      }
    }
    #expect(duration >= .milliseconds(200) && duration < .seconds(10))
  }

  @Test("A server that never finishes costs the given time, not more")
  func endless() async throws {
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
      connection.waitUntilClosed()
    }
    await #expect(throws: HTTPClientError.timedOut) {
      try await get(server.url(), timeout: .milliseconds(200))
    }
  }

  @Test(
    "A connection that breaks, or speaks no HTTP, is lost",
    arguments: [
      "", "\r\n", "HTTP/1.1", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n", "garbage\r\n\r\n", "\0\0\0\0",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "SSH-2.0-OpenSSH_9\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n\r\n", "HTTP/7.0 200 OK\r\n\r\n",
    ])
  func broken(reply: String) async throws {
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      connection.write(reply)
    }
    await #expect(throws: HTTPClientError.connectionLost) { try await get(server.url()) }
  }

  @Test("A port where nobody listens is unreachable")
  func refused() async throws {
    let port = ScriptedServer { _ in }.port
    await #expect(throws: HTTPClientError.unreachable) { try await get("http://127.0.0.1:\(port)/") }
  }

  @Test("A name that does not exist is unreachable")
  func unknownHost() async throws {
    await #expect(throws: HTTPClientError.unreachable) { try await get("http://nowhere.invalid/") }
  }

  @Test("A server without TLS is unreachable over https, and sees no request")
  func noTLS() async throws {
    let server = ScriptedServer { connection in
      connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      connection.waitUntilClosed()
    }
    await #expect(throws: HTTPClientError.unreachable) { try await get("https://127.0.0.1:\(server.port)/") }
    #expect(server.requests.isEmpty)
  }

  @Test("A body is accepted up to the limit", arguments: [true, false])
  func bodyLimit(chunked: Bool) async throws {
    let server = ScriptedServer { connection in
      connection.answerAll { request in
        let body = String(repeating: "x", count: request.lines[0].contains("/1000 ") ? 1000 : 1001)
        guard chunked else { return reply("200 OK", body) }
        let size = String(body.utf8.count, radix: 16)
        return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n"
      }
    }
    #expect(try await get(server.url("/1000"), limit: 1000).body.count == 1000)
    await #expect(throws: HTTPClientError.responseTooLarge) {
      try await get(server.url("/1001"), limit: 1000)
    }
  }

  @Test("A body without end is refused at the limit")
  func hugeBody() async throws {
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      let piece = [UInt8](repeating: 0, count: 1 << 16)
      while connection.write(piece) {}
    }
    await #expect(throws: HTTPClientError.responseTooLarge) { try await get(server.url()) }
  }

  @Test("A header without end is refused")
  func hugeHeader() async throws {
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\n")
      while connection.write("X-More: and more\r\n") {}
    }
    await #expect(throws: HTTPClientError.responseTooLarge) { try await get(server.url()) }
  }

  @Test(
    "An address that is none of ours is refused",
    arguments: [
      "", "/", "example.com", "ftp://127.0.0.1/", "file:///etc/passwd", "http:/127.0.0.1", "http://",
      "http:///x",
      "http://?", "https://#", "http://a b/", "http://a/\r\nX: y", "http://a/\u{7F}", "http://ä/",
      "http://a/\0",
      "gopher://a/", "HTTP//a", "http://127.0.0.1:99999/", "javascript:1",
    ])
  func invalidURL(url: String) async throws {
    await #expect(throws: HTTPClientError.invalidURL) { try await get(url) }
  }

  @Test(
    "A field or method that could be taken for more than itself is refused, and nothing is sent",
    arguments: [
      ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\r"), ("X", "a\0b"), ("X", "\u{7F}"), ("X: y\r\nZ", "a"),
      ("", "a"),
      ("X Y", "a"), ("X:", "a"), ("Ö", "a"),
    ])
  func injection(name: String, value: String) async throws {
    let server = ScriptedServer { $0.answerAll { _ in reply() } }
    await #expect(throws: HTTPClientError.invalidURL) {
      try await client.send(HTTPClientRequest(method: .get, url: server.url(), fields: [name: value]))
    }
    await #expect(throws: HTTPClientError.invalidURL) {
      try await client.send(
        HTTPClientRequest(method: HTTPMethod(rawValue: "GET / \(value)\r\n"), url: server.url()))
    }
    #expect(server.connectionCount == 0)
  }

  @Test("A scheme in capitals, a tab and letters beyond ASCII in a value are fine")
  func lenient() async throws {
    let server = ScriptedServer { $0.answerAll { _ in reply() } }
    let request = HTTPClientRequest(
      method: .get, url: "HTTP://127.0.0.1:\(server.port)", fields: ["X": "å\tö"])
    #expect(try await client.send(request).status == 200)
    #expect(server.requests.first?.values(of: "x") == ["å\tö"])
  }

  @Test("Cancelling the task ends the transfer and its connection")
  func cancellation() async throws {
    let (events, event) = AsyncStream.makeStream(of: String.self)
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      event.yield("arrived")
      connection.waitUntilClosed()
      event.yield("closed")
    }
    var iterator = events.makeAsyncIterator()
    let url = server.url()
    let task = Task { try await get(url) }
    #expect(await iterator.next() == "arrived")
    task.cancel()
    await #expect(throws: HTTPClientError.cancelled) { try await task.value }
    #expect(await iterator.next() == "closed")
  }

  @Test("A task that is already cancelled sends nothing")
  func cancelledBefore() async throws {
    let server = ScriptedServer { $0.answerAll { _ in reply() } }
    let url = server.url()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      // Ends when the task is cancelled.
      for await _ in gate {}
      return try await get(url)
    }
    task.cancel()
    await #expect(throws: HTTPClientError.cancelled) { try await task.value }
    open.finish()
    #expect(server.connectionCount == 0)
  }
}
