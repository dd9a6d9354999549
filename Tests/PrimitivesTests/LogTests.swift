import Primitives
import Synchronization
import Testing

@Suite("Log, random bytes and identifiers")
struct LogTests {
  @Test("A line is one JSON object with time, level, event and fields, whatever the texts hold")
  func line() {
    let lines = Mutex<[String]>([])
    let log = Log(clock: { Timestamp(seconds: 0) }, emit: { line in lines.withLock { $0.append(line) } })
    log.alert("boom", [("user", "a\n\"b"), ("count", 3), ("flag", true), ("list", ["x"])])
    #expect(
      lines.withLock { $0 } == [
        #"{"time":"1970-01-01T00:00:00Z","level":"alert","event":"boom","user":"a\n\"b","count":3,"flag":true,"list":null}"#
      ])
    log.info("a")
    log.warning("a")
    log.error("a")
    #expect(lines.withLock { $0.count } == 4)
    let levels: [Log.Level] = [.alert, .info, .error, .warning]
    #expect(levels.sorted() == [.info, .warning, .error, .alert])
  }

  @Test("RFC 9562 section 5.4: a UUID has version 4 and its variant; 128 bits are 22 characters")
  func random() {
    let ones = RandomSource { [UInt8](repeating: 0xFF, count: $0) }
    #expect(ones.uuid() == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(ones.token128() == "_____________________w")
    #expect(ones.unit() < 1)
    #expect(RandomSource { [UInt8](repeating: 0, count: $0) }.unit() == 0)
    let system = RandomSource.system
    #expect(Set((0..<1000).map { _ in system.token128() }).count == 1000)
    #expect(system.bytes(0).isEmpty && system.bytes(37).count == 37)
    #expect((0..<1000).allSatisfy { _ in (0..<1).contains(system.unit()) })
  }
}
