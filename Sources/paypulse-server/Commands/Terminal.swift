import Glibc
import Primitives

/// Standard output, standard error and standard input.
struct Terminal: Sendable {
  /// Prints a line, and flushes: whoever waits for it reads from a pipe.
  func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  /// Prints a line for people, beside the output.
  func complain(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

  /// Log lines, each one write, so that those of two processes do not mix.
  var log: Log { Log(clock: TimeSource.system.now, emit: { complain($0) }) }

  private func write(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        // A reader that is gone needs no more; there is nowhere to report it either.
        if count < 0 && errno != EINTR { return }
        written += max(0, count)
      }
    }
  }

  /// One line of standard input as a secret; not shown while it is typed. Nil at the end of the input.
  func readSecret(prompt: String) -> Secret? {
    var settings = termios()
    let isTerminal = tcgetattr(STDIN_FILENO, &settings) == 0
    if isTerminal {
      write(prompt, to: STDERR_FILENO)
      var silent = settings
      silent.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    }
    defer {
      if isTerminal {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        write("\n", to: STDERR_FILENO)
      }
    }
    return readLine(strippingNewline: true).map { Secret($0) }
  }
}
