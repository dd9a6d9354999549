import Glibc
import Primitives
import Testing

/// A pseudo-terminal (pty(7)): what a person types goes in at one end, a program reads at the other.
private final class PseudoTerminal {
  let person: Int32
  let program: Int32

  init() throws {
    person = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(person >= 0)
    // TIOCSPTLCK and TIOCGPTPEER (ioctl_tty(2)): unlock, and open the other end.
    var locked: Int32 = 0
    try #require(ioctl(person, 0x4004_5431, &locked) == 0)
    program = ioctl(person, 0x5441, O_RDWR | O_NOCTTY)
    try #require(program >= 0)
  }

  func type(_ text: String) { _ = FileIO.writeAll(person, Array(text.utf8)) }

  var echoes: Bool {
    var settings = termios()
    return tcgetattr(program, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// What the person sees by now.
  func shown() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var waiting = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 0) == 1 else { return "" }
    let count = FileIO.readSome(person, into: &bytes)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  }

  deinit {
    close(program)
    close(person)
  }
}

@Suite struct HiddenInputTests {
  @Test func `who answers the moment the question is asked is neither overheard nor misheard`() throws {
    let terminal = try PseudoTerminal()
    let answer = HiddenInput.readLine(from: terminal.program) { terminal.type("hemligt lösen\n") }
    #expect(answer == Secret("hemligt lösen"))
    #expect(terminal.shown().isEmpty)
    #expect(terminal.echoes)
  }

  @Test func `an answer given before the second question counts for it`() throws {
    let terminal = try PseudoTerminal()
    let first = HiddenInput.readLine(from: terminal.program) { terminal.type("one\ntwo\n") }
    let second = HiddenInput.readLine(from: terminal.program) {}
    #expect(first == Secret("one") && second == Secret("two"))
    #expect(terminal.shown().isEmpty)
  }

  @Test(arguments: [
    ("a\u{7F}b\n", "b"), ("å\u{7F}b\n", "b"), ("wrong\u{15}right\r", "right"), ("a\u{1A}b\n", "ab"),
    ("ab\u{4}", "ab"),
  ])
  func `the keys that mend a line work`(typed: String, read: String) throws {
    let terminal = try PseudoTerminal()
    #expect(HiddenInput.readLine(from: terminal.program) { terminal.type(typed) } == Secret(read))
  }

  @Test(arguments: ["ab\u{3}", "ab\u{1C}", "\u{4}"])
  func `the keys that leave give nothing, and the terminal back`(typed: String) throws {
    let terminal = try PseudoTerminal()
    #expect(HiddenInput.readLine(from: terminal.program) { terminal.type(typed) } == nil)
    #expect(terminal.echoes)
  }

  @Test func `what is no terminal gives nothing, and is not asked`() {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(HiddenInput.readLine(from: ends[0]) { Issue.record("it was asked") } == nil)
  }
}
