import Glibc
import Testing

@testable import HTTPServer

@Suite struct SignalsTests {
  @Test func arriveAsValuesAndEndNothing() async {
    await #expect(processExitsWith: .success) {
      var signals = try Signals.stream().makeAsyncIterator()
      for expected in [Signal.hangUp, .terminate, .interrupt, .hangUp] {
        kill(getpid(), expected.number)
        #expect(await signals.next() == expected)
      }
      kill(getpid(), SIGPIPE)
    }
  }
}
