#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a line from a terminal without showing it (termios(3)).
package enum HiddenInput {
  /// The line; nil at the input's end, on Ctrl-C, and when `terminal` cannot be silenced.
  ///
  /// - Parameters:
  ///   - terminal: its descriptor.
  ///   - prompt: asks for the line. Called when nothing is shown any more: who answers at once is not overheard,
  ///     and nothing that was typed is lost.
  package static func readLine(from terminal: Int32, prompt: () -> Void) -> Secret? {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return nil }
    var silent = before
    // Without ISIG, Ctrl-C arrives as a byte, so that the terminal is always given back as it was.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard tcsetattr(terminal, TCSADRAIN, &silent) == 0 else { return nil }
    defer { tcsetattr(terminal, TCSADRAIN, &before) }
    prompt()
    return typed(at: terminal)
  }

  private static func typed(at terminal: Int32) -> Secret? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return Secret(String(decoding: line, as: UTF8.self))
      // Ctrl-C and Ctrl-\ leave; Ctrl-Z cannot, since the shell would get a silent terminal.
      case 3, 28: return nil
      case 26: break
      case 4: return line.isEmpty ? nil : Secret(String(decoding: line, as: UTF8.self))
      case 8, 127: removeCharacter(from: &line)
      case 21: line.removeAll()
      default: line.append(byte)
      }
    }
  }

  /// A character of UTF-8 may be several bytes; all but its first begin with the bits 10.
  private static func removeCharacter(from line: inout [UInt8]) {
    while let last = line.popLast(), last & 0xC0 == 0x80 {}
  }
}
