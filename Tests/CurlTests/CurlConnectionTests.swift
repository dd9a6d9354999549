import Curl
import HTTP
import Testing

@Suite("Connections of the libcurl client", .timeLimit(.minutes(1)))
struct CurlConnectionTests {
  @Test("Requests one after another share a connection")
  func reuse() async throws {
    let client = CurlHTTPClient()
    let server = ScriptedServer { $0.answerAll { reply("200 OK", $0.lines[0]) } }
    for number in 0..<5 {
      let request = HTTPClientRequest(method: .post, url: server.url("/\(number)"), body: [1, 2, 3])
      let response = try await client.send(request)
      #expect(response.body == Array("POST /\(number) HTTP/1.1".utf8))
    }
    #expect(server.connectionCount == 1)
  }

  @Test("Many requests at a time are each answered, over no more connections than allowed")
  func concurrent() async throws {
    var configuration = CurlHTTPClient.Configuration()
    configuration.maximumConnectionsPerHost = 4
    let client = CurlHTTPClient(configuration: configuration)
    let server = ScriptedServer { $0.answerAll { reply("200 OK", $0.lines[0]) } }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        let url = server.url("/\(number)")
        group.addTask {
          try await client.send(HTTPClientRequest(method: .get, url: url)).body
            == Array("GET /\(number) HTTP/1.1".utf8)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect((1...4).contains(server.connectionCount))
  }

  @Test("A request that waits for a connection in vain was not sent, and its time is up all the same")
  func waiting() async throws {
    var configuration = CurlHTTPClient.Configuration()
    configuration.maximumConnectionsPerHost = 1
    let client = CurlHTTPClient(configuration: configuration)
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      arrived.yield()
      connection.waitUntilClosed()
    }
    let url = server.url()
    let first = Task { try await client.send(HTTPClientRequest(method: .get, url: url)) }
    for await _ in arrivals { break }
    await #expect(throws: HTTPClientError.unreachable) {
      try await client.send(HTTPClientRequest(method: .get, url: url, timeout: .milliseconds(100)))
    }
    first.cancel()
    await #expect(throws: HTTPClientError.cancelled) { try await first.value }
    #expect(server.requests.count == 1)
  }

  @Test(
    "A request that may not be repeated is sent once, even when a kept connection breaks",
    arguments: ["", "body"])
  func noRepetition(body: String) async throws {
    let client = CurlHTTPClient()
    let server = breaksAfterFirst()
    #expect(try await client.send(HTTPClientRequest(method: .get, url: server.url())).status == 200)
    await #expect(throws: HTTPClientError.connectionLost) {
      try await client.send(
        HTTPClientRequest(method: .post, url: server.url("/post"), body: Array(body.utf8)))
    }
    #expect(server.requests.filter { $0.lines[0].hasPrefix("POST") }.count == 1)
  }

  @Test("A request that may be repeated is, when a kept connection breaks", arguments: ["", "body"])
  func repetition(body: String) async throws {
    let client = CurlHTTPClient()
    let server = breaksAfterFirst()
    #expect(try await client.send(HTTPClientRequest(method: .get, url: server.url())).status == 200)
    let request = HTTPClientRequest(method: .put, url: server.url("/put"), body: Array(body.utf8))
    #expect(try await client.send(request).status == 200)
    #expect(server.requests.map(\.body) == [[], request.body, request.body])
    #expect(server.connectionCount == 2)
  }

  /// Answers the first request of a connection and resets it after reading the second; a POST is never
  /// answered.
  private func breaksAfterFirst() -> ScriptedServer {
    ScriptedServer { connection in
      connection.resetAtEnd()
      guard let request = connection.readRequest(), !request.lines[0].hasPrefix("POST") else { return }
      connection.write(reply())
      _ = connection.readRequest()
    }
  }

  @Test("A connection that the server closed between two requests is replaced")
  func closedMeanwhile() async throws {
    let client = CurlHTTPClient()
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok")
    }
    for _ in 0..<3 {
      let request = HTTPClientRequest(method: .post, url: server.url(), body: [1])
      #expect(try await client.send(request).status == 200)
    }
    #expect(server.connectionCount == 3)
  }

  @Test("Shutting down ends what runs, and takes nothing more")
  func shutdown() async throws {
    let client = CurlHTTPClient()
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      arrived.yield()
      connection.waitUntilClosed()
    }
    let request = HTTPClientRequest(method: .get, url: server.url())
    let running = Task { try await client.send(request) }
    for await _ in arrivals { break }
    async let first: Void = client.shutdown()
    async let second: Void = client.shutdown()
    _ = await (first, second)
    await #expect(throws: HTTPClientError.connectionLost) { try await running.value }
    await #expect(throws: HTTPClientError.unreachable) { try await client.send(request) }
    await client.shutdown()
  }

  @Test("A client that is let go closes its connections")
  func release() async throws {
    let (closings, closed) = AsyncStream.makeStream(of: Void.self)
    let server = ScriptedServer { connection in
      connection.answerAll { _ in reply() }
      closed.yield()
    }
    var client: CurlHTTPClient? = CurlHTTPClient()
    #expect(try await client?.send(HTTPClientRequest(method: .get, url: server.url())).status == 200)
    client = nil
    for await _ in closings { break }
    #expect(server.connectionCount == 1)
  }
}
