import AWS
import HTTP
import Primitives
import TestSupport
import Testing

@Suite("The deadline of an invocation")
struct InvocationDeadlineTests {
  private let clock = TestClock()
  private let deadline = InvocationDeadline()
  private let server = ScriptedHTTPClient(200, "")

  private func send(reserve: Duration) async throws(HTTPClientError) -> Duration? {
    let client = deadline.limiting(server, reserve: reserve, time: clock.source)
    _ = try await client.send(HTTPClientRequest(method: .get, url: "http://x.test/", timeout: .seconds(10)))
    return server.requests.last?.timeout
  }

  @Test(
    "a request gets the time that is left, less what is reserved for later, and never more than it asked for")
  func timeouts() async throws {
    #expect(try await send(reserve: .seconds(5)) == .seconds(10), "no invocation, no limit")
    deadline.begin(clock.now + .seconds(60))
    #expect(try await send(reserve: .seconds(5)) == .seconds(10))
    clock.advance(by: .seconds(50))
    #expect(try await send(reserve: .seconds(5)) == .seconds(4.5))
    #expect(try await send(reserve: .zero) == .seconds(9.5))
  }

  @Test("a request that could only end after the deadline is not sent")
  func tooLate() async throws {
    deadline.begin(clock.now + .seconds(5))
    await #expect(throws: HTTPClientError.unreachable) { try await send(reserve: .seconds(5)) }
    #expect(server.requests.isEmpty)
  }

  @Test("it can be shortened, and not put off")
  func shortening() {
    deadline.begin(clock.now + .seconds(60))
    deadline.shorten(to: clock.now + .seconds(25))
    #expect(deadline.remaining(at: clock.now) == .seconds(25))
    deadline.shorten(to: clock.now + .seconds(40))
    #expect(deadline.remaining(at: clock.now) == .seconds(25))
    deadline.end()
    #expect(deadline.remaining(at: clock.now) == nil)
  }

  @Test("whoever waits beyond it wakes when it is reached")
  func sleeping() async throws {
    deadline.begin(clock.now + .seconds(10) + InvocationDeadline.margin)
    let time = deadline.limiting(clock.source)
    let sleeper = Task { try await time.sleep(.seconds(3600)) }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(10))
    try await sleeper.value
    try await time.sleep(.seconds(3600))
  }
}
