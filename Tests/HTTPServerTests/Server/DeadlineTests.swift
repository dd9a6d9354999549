import HTTP
import Testing

@testable import HTTPServer

@Suite struct DeadlineTests {
  @Test func cutsARequestThatStopsComing() async throws {
    var limits = HTTPServerLimits()
    limits.requestTime = .milliseconds(30)
    try await withServer(limits: limits) { server in
      try await onThread {
        for beginning in ["GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel"] {
          let client = try TestClient(server)
          let reply = try client.exchange(beginning)
          #expect(reply.status == 408)
          #expect(try client.isAtEnd())
        }
      }
    }
  }

  @Test func cutsARequestHoweverSteadilyItDrips() async throws {
    var limits = HTTPServerLimits()
    limits.requestTime = .milliseconds(60)
    try await withServer(limits: limits) { server in
      try await onThread {
        // The loop runs by then: what starts it may have to wait for its turn among other tests.
        #expect(try TestClient(server).exchange(get()).status == 200)
        let client = try TestClient(server)
        client.send("GET / HTTP/1.1\r\nHost: x\r\nA: ")
        var drops = 0
        repeat {
          client.send("a")
          drops += 1
        } while !client.hasInput(milliseconds: 5) && drops < 2000
        #expect(drops < 2000)
        #expect(try client.readReply().status == 408)
      }
    }
  }

  @Test func closesAnIdleConnectionWithoutAWord() async throws {
    var limits = HTTPServerLimits()
    limits.idleTime = .milliseconds(300)
    try await withServer(limits: limits) { server in
      try await onThread {
        let (fresh, used) = (try TestClient(server), try TestClient(server))
        #expect(try used.exchange(get()).status == 200)
        #expect(try fresh.readToEnd().isEmpty)
        #expect(try used.readToEnd().isEmpty)
      }
    }
  }

  @Test func takesAnEmptyLineBehindARequestForNoBeginningOfAnother() async throws {
    var limits = HTTPServerLimits()
    (limits.idleTime, limits.requestTime) = (.milliseconds(60), .milliseconds(10))
    try await withServer(limits: limits) { server in
      try await onThread {
        let client = try TestClient(server)
        #expect(try client.exchange(get()).status == 200)
        client.send("\r\n")
        #expect((try? client.readToEnd())?.isEmpty != false)
      }
    }
  }

  @Test func givesUpOnAPeerThatDoesNotTakeItsResponse() async throws {
    var limits = HTTPServerLimits()
    limits.responseTime = .milliseconds(30)
    let size = 64 << 20
    let big = Answer { _ in HTTPResponse(status: 200, body: [UInt8](repeating: 0, count: size)) }
    let client = try await withServer(limits: limits, responder: big) { server in
      try await onThread {
        let client = try TestClient(server)
        client.send(get())
        #expect(client.hasInput(milliseconds: 60_000))
        return client
      }
    }
    // The server has ended, so it has let go of the connection while nothing was read.
    let received = try await onThread { (try? client.readToEnd().count) ?? 0 }
    #expect(received < size)
  }
}
