import HTTP
import Testing

@testable import HTTPServer

@Suite struct DrainTests {
  @Test func closesIdleConnectionsAndLetsARequestFinish() async throws {
    let (started, gate) = (Latch(), Latch())
    let answer = Answer { request in
      if request.path == "/wait" {
        started.open()
        await gate.wait()
      }
      return HTTPResponse(status: 200, body: Array("done".utf8))
    }
    try await withServer(responder: answer) { server in
      let (idle, busy, half) = try await onThread {
        let (idle, busy, half) = (try TestClient(server), try TestClient(server), try TestClient(server))
        _ = try idle.exchange(get())
        _ = try half.exchange(get())
        half.send("GET / HTTP/1.1\r\nHost: x\r\n")
        busy.send(get("/wait"))
        return (idle, busy, half)
      }
      await started.wait()
      server.shutdown()
      try await onThread {
        #expect(try idle.isAtEnd())
        half.send("\r\n")
        #expect(try half.readReply().field("Connection") == "close")
        gate.open()
        let reply = try busy.readReply()
        #expect(reply.text == "done")
        #expect(reply.field("Connection") == "close")
        #expect(try busy.isAtEnd())
        #expect(throws: TestClient.Failure.self) { try TestClient(server) }
      }
    }
  }

  @Test func cutsWhatDoesNotFinishInTime() async throws {
    var limits = HTTPServerLimits()
    limits.drainTime = .milliseconds(30)
    let (started, cancelled) = (Latch(), Latch())
    let endless = Answer { _ in
      started.open()
      try? await Task.sleep(for: .seconds(1000))
      if Task.isCancelled { cancelled.open() }
      return HTTPResponse(status: 200)
    }
    let log = LogLines()
    let client = try await withServer(limits: limits, log: log, responder: endless) { server in
      let client = try await onThread {
        let client = try TestClient(server)
        client.send(get())
        return client
      }
      await started.wait()
      return client
    }
    await cancelled.wait()
    let isAtEnd = try await onThread { try client.isAtEnd() }
    #expect(isAtEnd)
    #expect(log.all.contains { $0.contains("drain_cut") })
  }

  @Test func endsAtOnceWhenToldSoBeforeItRuns() async throws {
    // An address of its own: at another's, a test beside this one may get the port that is let go of.
    let server = try HTTPServer.echoing(host: "127.0.0.66")
    server.shutdown()
    await server.run()
    #expect(throws: TestClient.Failure.self) { try TestClient(server) }
  }

  @Test func letsGoOfItsPortWhenItNeverRuns() async throws {
    var server: HTTPServer? = try .echoing(host: "127.0.0.67")
    let port = try #require(server?.address.port)
    server = nil
    try #require(server == nil)
    _ = try HTTPServer.echoing(host: "127.0.0.67", port: port)
  }
}
