import API
import Glibc
import Primitives

/// Standard output, standard error and standard input.
struct Terminal: Sendable {
  /// Prints a line, at once: whoever waits for it reads from a pipe.
  func print(_ line: String) { FileIO.writeText(line + "\n", to: STDOUT_FILENO) }

  /// Prints a line for people, beside the output.
  func complain(_ line: String) { FileIO.writeText(line + "\n", to: STDERR_FILENO) }

  /// Prints what a command has to say; its exit code.
  func show(_ report: OperatorReport) -> Int32 {
    report.output.forEach(print)
    report.complaints.forEach(complain)
    return report.status
  }

  /// Log lines, each one write, so that those of two processes do not mix.
  var log: Log { Log(clock: TimeSource.system.now, write: { _ = FileIO.writeAll(STDERR_FILENO, $0) }) }

  /// One line of standard input as a secret; not shown while it is typed. Nil at the end of the input.
  func readSecret(prompt: String) -> Secret? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true).map { Secret($0) } }
    defer { FileIO.writeText("\n", to: STDERR_FILENO) }
    return HiddenInput.readLine(from: STDIN_FILENO) { FileIO.writeText(prompt, to: STDERR_FILENO) }
  }
}
