import HTTP
import Testing

@testable import HTTPServer

@Suite struct TLSTests {
  private let directory: TemporaryDirectory
  private let files: TLSFiles
  private let lastRequest = get("/tls", "Connection: close\r\n")

  init() async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    files = try await onThread { try OpenSSLCommand.makeCertificate(in: directory, name: "a") }
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func answersOverTLS(_ version: String) async throws {
    try await withServer(tls: files) { server in
      let reply = try await exchange(server, trusting: files, options: [version, "-alpn", "h2,http/1.1"])
      #expect(reply?.hasSuffix("\r\n\r\nGET /tls []") == true)
    }
  }

  @Test func sendsALargeResponseAndReadsALargeRequestWhole() async throws {
    let answer = Answer { request in
      await Task.yield()
      return HTTPResponse(
        status: 200, body: [UInt8](repeating: request.body[0], count: request.body.count * 50))
    }
    try await withServer(tls: files, responder: answer) { server in
      let body = String(repeating: "b", count: 60_000)
      let request = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n" + body
      let reply = try await exchange(server, trusting: files, request: request)
      #expect(reply?.hasSuffix("\r\n\r\n" + String(repeating: "b", count: 3_000_000)) == true)
    }
  }

  @Test(arguments: [["-tls1_1"], ["-alpn", "h2"]])
  func agreesToNothingElse(_ options: [String]) async throws {
    try await withServer(tls: files) { server in
      let reply = try await exchange(server, trusting: files, options: options)
      #expect(reply == nil)
    }
  }

  @Test func takesANewCertificateAndKeepsTheOldOneWhenThatIsBad() async throws {
    let other = try await onThread { [directory] in
      try OpenSSLCommand.makeCertificate(in: directory, name: "b")
    }
    let (newCertificate, newKey) = (try directory.contents("b.crt"), try directory.contents("b.key"))
    try await withServer(tls: files) { server in
      try directory.write(newCertificate, to: "a.crt")
      #expect(throws: HTTPServerError.self) { try server.reloadTLS() }
      try directory.write("nonsense", to: "a.crt")
      #expect(throws: HTTPServerError.self) { try server.reloadTLS() }
      let before = try await exchange(server, trusting: other)
      #expect(before == nil)

      try directory.write(newCertificate, to: "a.crt")
      try directory.write(newKey, to: "a.key")
      try server.reloadTLS()
      let reply = try await exchange(server, trusting: other)
      #expect(reply?.hasSuffix("GET /tls []") == true)
    }
  }

  @Test func keepsServingWithTheOldCertificateAfterABadReload() async throws {
    try directory.write(try directory.contents("a.crt"), to: "b.crt")
    let authority = TLSFiles(certificate: directory.path("b.crt"), key: files.key)
    try await withServer(tls: files) { server in
      try directory.write("nonsense", to: "a.crt")
      #expect(throws: HTTPServerError.self) { try server.reloadTLS() }
      let reply = try await exchange(server, trusting: authority)
      #expect(reply?.hasSuffix("GET /tls []") == true)
    }
  }

  @Test func countsTheHandshakeInTheTimeForARequest() async throws {
    var limits = HTTPServerLimits()
    limits.requestTime = .milliseconds(30)
    try await withServer(limits: limits, tls: files) { server in
      let received = try await onThread { try TestClient(server).readToEnd() }
      #expect(received.isEmpty)
    }
  }

  @Test func closesWhatSpeaksPlainHTTP() async throws {
    var limits = HTTPServerLimits()
    limits.requestTime = .seconds(600)
    try await withServer(limits: limits, tls: files) { server in
      let text = try await onThread {
        let client = try TestClient(server)
        client.send(get())
        do {
          return String(decoding: try client.readToEnd(), as: UTF8.self)
        } catch TestClient.Failure.reset {
          return ""
        }
      }
      #expect(!text.contains("200"))
    }
  }

  @Test func namesTheFileThatCannotBeUsed() throws {
    let missing = TLSFiles(certificate: files.certificate, key: directory.path("missing"))
    let error = #expect(throws: HTTPServerError.self) { _ = try HTTPServer.echoing(tls: missing) }
    #expect(error?.description.contains("missing") == true)
  }

  /// The reply; nil when there was no agreement.
  private func exchange(
    _ server: HTTPServer, trusting files: TLSFiles, request: String? = nil, options: [String] = []
  ) async throws -> String? {
    try await onThread { [directory, lastRequest] in
      let (reply, isGood) = try OpenSSLCommand.exchange(
        request ?? lastRequest, server, trusting: files.certificate, options: options, in: directory)
      return isGood ? reply : nil
    }
  }
}
