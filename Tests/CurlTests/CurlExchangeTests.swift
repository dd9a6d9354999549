import Curl
import Glibc
import HTTP
import Testing

@Suite("Requests and replies over libcurl", .timeLimit(.minutes(1)))
struct CurlExchangeTests {
  private let client = CurlHTTPClient()

  @Test("A reply comes with its status, all its field lines and its body")
  func reply() async throws {
    let server = ScriptedServer { connection in
      connection.answerAll { _ in
        "HTTP/1.1 418 I'm a teapot\r\nX-Pot: \t big \r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Empty:\r\n"
          + "X-Folded: one\r\n  two\r\nContent-Length: 5\r\n\r\nshort"
      }
    }
    let response = try await client.send(HTTPClientRequest(method: .get, url: server.url("/tea")))
    #expect(response.status == 418)
    #expect(response.fields["x-pot"] == "big")
    #expect(response.fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
    #expect(response.fields["X-Empty"] == "")
    #expect(response.fields["X-Folded"] == "one two")
    #expect(response.fields.count == 6)
    #expect(response.body == Array("short".utf8))
  }

  @Test("A request carries what the caller gave, and nothing that libcurl would add by itself")
  func request() async throws {
    let server = ScriptedServer { $0.answerAll { _ in CurlTests.reply() } }
    var request = HTTPClientRequest(
      method: .post, url: server.url("/a/../b?c=%20d"),
      fields: ["X-One": "1", "X-One": "zwei", "X-None": "", "X-Blank": " \t"])
    request.fields.append("Content-Length", "3")
    request.fields.append("Expect", "100-continue")
    request.body = [UInt8](repeating: 7, count: 2 << 20)
    _ = try await client.send(request)
    let sent = try #require(server.requests.first)
    #expect(sent.lines[0] == "POST /a/../b?c=%20d HTTP/1.1")
    #expect(sent.values(of: "x-one") == ["1", "zwei"])
    #expect(sent.values(of: "x-none") == [""])
    #expect(sent.values(of: "x-blank") == [""])
    #expect(sent.values(of: "user-agent") == ["PayPulse/1"])
    #expect(sent.values(of: "host") == ["127.0.0.1:\(server.port)"])
    #expect(sent.values(of: "content-length") == ["2097152"])
    #expect(sent.body == request.body)
    for name in ["expect", "accept-encoding", "content-type", "transfer-encoding"] {
      #expect(sent.values(of: name) == [], "\(name)")
    }
  }

  @Test(
    "Every method is sent as such, with and without a body",
    arguments: [HTTPMethod.get, .post, .put, .patch, .delete, .options, HTTPMethod(rawValue: "REPORT")],
    ["", "content"])
  func methods(method: HTTPMethod, body: String) async throws {
    let server = ScriptedServer { $0.answerAll { _ in CurlTests.reply() } }
    let request = HTTPClientRequest(
      method: method, url: server.url(), fields: ["Content-Type": "text/plain"], body: Array(body.utf8))
    #expect(try await client.send(request).body == Array("ok".utf8))
    let sent = try #require(server.requests.first)
    #expect(sent.lines[0] == "\(method) / HTTP/1.1")
    #expect(sent.body == request.body)
    #expect(sent.values(of: "content-type") == ["text/plain"])
    let needsLength = !body.isEmpty || [.post, .put, .patch].contains(method)
    #expect(sent.values(of: "content-length") == (needsLength ? ["\(body.utf8.count)"] : []))
  }

  @Test("A request may wait for years, beside others that may not")
  func years() async throws {
    let patient = ScriptedServer { connection in
      connection.answerAll { _ in
        usleep(200_000)
        return CurlTests.reply()
      }
    }
    let quick = ScriptedServer { $0.answerAll { _ in CurlTests.reply() } }
    let years = HTTPClientRequest(
      method: .get, url: patient.url("/"), timeout: .seconds(10 * 365 * 24 * 3600))
    async let late = client.send(years)
    for _ in 0..<3 {
      let request = HTTPClientRequest(method: .get, url: quick.url("/"), timeout: .seconds(5))
      #expect(try await client.send(request).status == 200)
    }
    #expect(try await late.status == 200)
  }

  @Test("The caller's own user agent stands")
  func userAgent() async throws {
    let server = ScriptedServer { $0.answerAll { _ in CurlTests.reply() } }
    _ = try await client.send(
      HTTPClientRequest(method: .get, url: server.url(), fields: ["user-agent": "Mine"]))
    #expect(server.requests.first?.values(of: "user-agent") == ["Mine"])
  }

  @Test("Replies without a body end with their header, and the connection goes on")
  func withoutBody() async throws {
    let server = ScriptedServer { connection in
      connection.answerAll { request in
        if request.lines[0].hasPrefix("HEAD") { return "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n" }
        return "HTTP/1.1 \(request.lines[0].contains("/204") ? "204 No Content" : "304 Not Modified")\r\n\r\n"
      }
    }
    let head = try await client.send(HTTPClientRequest(method: .head, url: server.url()))
    #expect(head.status == 200 && head.fields["Content-Length"] == "9999999" && head.body.isEmpty)
    #expect(try await client.send(HTTPClientRequest(method: .get, url: server.url("/204"))).status == 204)
    #expect(try await client.send(HTTPClientRequest(method: .get, url: server.url("/304"))).status == 304)
    #expect(server.connectionCount == 1)
  }

  @Test("A chunked body is put together; its trailer does not count as header")
  func chunked() async throws {
    let server = ScriptedServer { connection in
      connection.answerAll { _ in
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nX-Late: 1\r\n\r\n"
      }
    }
    let response = try await client.send(HTTPClientRequest(method: .get, url: server.url()))
    #expect(response.body == Array("abcdefg".utf8))
    #expect(response.fields["X-Late"] == nil && response.fields.count == 1)
  }

  @Test("A body without a length lasts until the connection closes")
  func untilClose() async throws {
    let server = ScriptedServer { connection in
      _ = connection.readRequest()
      connection.write("HTTP/1.0 200 OK\r\n\r\nall of it")
    }
    let response = try await client.send(HTTPClientRequest(method: .get, url: server.url()))
    #expect(response.body == Array("all of it".utf8))
  }

  @Test("Interim replies are passed over")
  func interim() async throws {
    let server = ScriptedServer { connection in
      connection.answerAll { _ in
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + CurlTests.reply()
      }
    }
    let response = try await client.send(HTTPClientRequest(method: .post, url: server.url(), body: [1]))
    #expect(response.status == 200 && response.fields["Link"] == nil && response.fields.count == 1)
  }

  @Test("A redirect is a reply like any other")
  func redirect() async throws {
    let server = ScriptedServer { connection in
      connection.answerAll { _ in "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n" }
    }
    let response = try await client.send(HTTPClientRequest(method: .get, url: server.url()))
    #expect(response.status == 302 && response.fields["location"] == "/other")
    #expect(server.requests.count == 1)
  }

  @Test("An encoded body is handed over as it came")
  func contentCoding() async throws {
    let server = ScriptedServer { connection in
      connection.answerAll { _ in "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"
      }
    }
    let response = try await client.send(HTTPClientRequest(method: .get, url: server.url()))
    #expect(response.body == Array("abc".utf8))
  }
}
