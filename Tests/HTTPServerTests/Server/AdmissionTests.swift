import Glibc
import HTTP
import Testing

@testable import HTTPServer

@Suite struct AdmissionTests {
  @Test func leavesConnectionsOverTheLimitWaitingUntilOneCloses() async throws {
    var limits = HTTPServerLimits()
    limits.connections = 2
    let log = LogLines()
    try await withServer(limits: limits, log: log) { server in
      try await onThread {
        let (first, second, third) = (try TestClient(server), try TestClient(server), try TestClient(server))
        #expect(try first.exchange(get()).status == 200)
        #expect(try second.exchange(get()).status == 200)
        third.send(get("/third"))
        #expect(!third.hasInput(milliseconds: 50))
        first.finish()
        #expect(try third.readReply().text == "GET /third []")
        #expect(try second.exchange(get()).status == 200)
      }
    }
    #expect(log.all.contains { $0.contains(#""event":"accepting_paused","reason":"connection limit""#) })
  }

  @Test func waitsWithoutTurningWhenDescriptorsRunOut() async {
    await #expect(processExitsWith: .success) {
      let log = LogLines()
      try await withServer(log: log) { server in
        try await onThread {
          let clients = (0..<6).map { _ in TestClient() }
          let before = leaveDescriptors(2)
          for client in clients {
            try client.connect(server)
            client.send(get())
          }
          // Two descriptors were left. Whoever closes one lets another in, in the order of arrival.
          #expect(try clients[0].readReply().status == 200)
          #expect(try clients[1].readReply().status == 200)
          #expect(!clients[2].hasInput(milliseconds: 50))
          clients[0].finish()
          #expect(try clients[2].readReply().status == 200)
          #expect(!clients[3].hasInput(milliseconds: 50))
          // Room that no connection made is found by itself.
          setDescriptorLimit(before)
          for client in clients[3...] { #expect(try client.readReply().status == 200) }
        }
      }
      let pauses = log.all.filter { $0.contains("accepting_paused") }.count
      #expect((1..<10).contains(pauses))
    }
  }
}

/// Lowers the process's limit so that as many more can be opened; the limit before.
private func leaveDescriptors(_ count: Int) -> rlimit {
  var before = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
  let free = (0..<count).map { _ in open("/dev/null", O_RDONLY) }
  for descriptor in free { close(descriptor) }
  setDescriptorLimit(rlimit(rlim_cur: rlim_t(free.max() ?? 0) + 1, rlim_max: before.rlim_max))
  return before
}

private func setDescriptorLimit(_ limit: rlimit) {
  var limit = limit
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
