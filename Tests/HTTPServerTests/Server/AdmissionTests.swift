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
          let clients = (0..<30).map { _ in TestClient() }
          let before = leaveDescriptors(8)
          for client in clients {
            try client.connect(server)
            client.send(get())
          }
          // About eight get in, in the order of arrival: the runtime may open some descriptors of its own.
          #expect(!clients[29].hasInput(milliseconds: 100))
          let lucky = clients.prefix { $0.hasInput(milliseconds: 0) }
          #expect((1..<29).contains(lucky.count))
          for client in lucky { #expect(try client.readReply().status == 200) }
          // Those who go let others in.
          for client in lucky { client.finish() }
          #expect(try clients[lucky.count].readReply().status == 200)
          #expect(!clients[29].hasInput(milliseconds: 100))
          // Room that no connection made is found as well.
          setDescriptorLimit(before)
          for client in clients[(lucky.count + 1)...] { #expect(try client.readReply().status == 200) }
        }
      }
      let pauses = log.all.filter { $0.contains("accepting_paused") }.count
      #expect((1..<30).contains(pauses))
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
