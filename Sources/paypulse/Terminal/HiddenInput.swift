import Glibc
import Primitives

/// Reads a line from the terminal without showing it (termios(3)).
enum HiddenInput {
  /// The line; nil at its end, on Ctrl-C, and when the terminal cannot be silenced.
  static func readLine() -> Secret? {
    var before = termios()
    guard tcgetattr(0, &before) == 0 else { return nil }
    var silent = before
    // Without ISIG, Ctrl-C arrives as a byte, so that the terminal is always given back as it was.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard tcsetattr(0, TCSAFLUSH, &silent) == 0 else { return nil }
    defer { tcsetattr(0, TCSAFLUSH, &before) }
    return typed()
  }

  private static func typed() -> Secret? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(0, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return Secret(String(decoding: line, as: UTF8.self))
      case 3: return nil
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
