import Dispatch
import Glibc
import Primitives

/// The person at the other end: results, notices and questions.
struct Terminal: Sendable {
  /// Whether standard output is for a program, so that people read standard error.
  let isJSON: Bool

  /// The result, for people; with `--json` it goes to standard error.
  func say(_ text: String) { FileIO.writeText(Self.printable(text) + "\n", to: isJSON ? 2 : 1) }

  /// Something beside the result.
  func note(_ text: String) { FileIO.writeText(Self.printable(text) + "\n", to: 2) }

  /// The result's data, for a program; only with `--json`.
  func data(_ value: JSONValue) {
    if isJSON { FileIO.writeText(String(decoding: value.serialized, as: UTF8.self) + "\n", to: 1) }
  }

  /// Text as it is, to standard output.
  func page(_ text: String) { FileIO.writeText(text, to: 1) }

  /// Whether a person can be asked.
  var isInteractive: Bool { isatty(0) == 1 }

  /// Asks for a line; nil at the end of input.
  func ask(_ question: String) async -> String? {
    FileIO.writeText(question, to: 2)
    return await Self.blocking { Self.readLine() }
  }

  /// Asks for a line that is not shown while it is typed; without a terminal, reads the next line of standard input.
  /// Nil at the end of input, and when the person presses Ctrl-C.
  func askSecretly(_ question: String) async -> Secret? {
    guard isInteractive else { return await Self.blocking { Self.readLine() }.map { Secret($0) } }
    return await Self.blocking {
      let answer = HiddenInput.readLine(from: 0) { FileIO.writeText(question, to: 2) }
      FileIO.writeText("\n", to: 2)
      return answer
    }
  }

  /// Servers' and people's texts, without the control characters that move a terminal about.
  static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.map { scalar in
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        return isControl && scalar != "\n" ? "\u{FFFD}" : Character(scalar)
      })
  }

  private static func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
  }

  private static func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(0, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { break }
      if line.count < 65536 { line.append(byte) }
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
