import Glibc
import HTTP
import Testing

@testable import HTTPServer

@Suite struct ExecutorTests {
  @Test func runsRespondersOnItsLoopBeforeAndAfterTheyAreSuspended() async throws {
    let answer = Answer { request in
      let before = pthread_self()
      switch request.path {
      case "/yield": await Task.yield()
      case "/sleep": try? await Task.sleep(for: .microseconds(1))
      case "/task": await Task.detached { await Task.yield() }.value
      case "/thread": await Self.resumedByAThread()
      case "/actor": await Elsewhere().visit()
      default: break
      }
      let isSame = pthread_self() == before
      return HTTPResponse(status: 200, body: Array("\(isSame) \(before)".utf8))
    }
    let replies = try await withServer(loops: 1, responder: answer) { server in
      try await onThread {
        let client = try TestClient(server)
        let paths = ["/at-once", "/yield", "/sleep", "/task", "/thread", "/actor"]
        return try paths.map { try client.exchange(get($0)).text }
      }
    }
    #expect(Set(replies).count == 1)
    #expect(replies.first?.hasPrefix("true ") == true)
  }

  @Test func answersOthersWhileOneIsSuspended() async throws {
    let gate = Latch()
    let answer = Answer { request in
      if request.path == "/wait" { await gate.wait() }
      return HTTPResponse(status: 200)
    }
    try await withServer(loops: 1, responder: answer) { server in
      try await onThread {
        let waiting = try TestClient(server)
        waiting.send(get("/wait"))
        #expect(try TestClient(server).exchange(get()).status == 200)
        #expect(!waiting.hasInput(milliseconds: 0))
        gate.open()
        #expect(try waiting.readReply().status == 200)
      }
    }
  }

  @Test func letsARequestFinishWhosePeerHasGone() async throws {
    let (started, gate, finished) = (Latch(), Latch(), Latch())
    let log = LogLines()
    let answer = Answer { _ in
      started.open()
      await gate.wait()
      if !Task.isCancelled { finished.open() }
      return HTTPResponse(status: 200, route: "/gone")
    }
    try await withServer(log: log, responder: answer) { server in
      let client = try await onThread {
        let client = try TestClient(server)
        client.send(get())
        return client
      }
      await started.wait()
      try await onThread { client.reset() }
      gate.open()
      await finished.wait()
    }
    #expect(log.all.contains { $0.contains("/gone") })
  }

  private static func resumedByAThread() async {
    await withCheckedContinuation { continuation in LoopThread.start(name: "other") { continuation.resume() }
    }
  }

  private actor Elsewhere {
    func visit() async { await Task.yield() }
  }
}
