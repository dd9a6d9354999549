import Dispatch
import Glibc

/// A server in Python, from `acceptance/`, run by the repository's own `.venv`. It ends with this object, and with
/// this process however that ends.
package final class PythonServer: Sendable {
  /// Why it did not start.
  package struct NotStarted: Error, CustomStringConvertible {
    /// For whoever runs the tests.
    package let description: String
  }

  /// `http://127.0.0.1:PORT`.
  package let url: String
  private let process: pid_t
  /// Held open for the server's standard input, which it ends with.
  private let lifeline: Int32

  /// The server that `script` (a path in the repository) prints the address of once it listens. It must know
  /// `--with-parent`, and gets `environment` beside this process's own.
  package static func start(_ script: String, environment: [String: String] = [:]) async throws
    -> PythonServer
  {
    try await withCheckedThrowingContinuation { continuation in
      // Waits for the first line, so it must not be on a thread of the pool.
      DispatchQueue.global().async {
        continuation.resume(with: Result { try PythonServer(script, environment) })
      }
    }
  }

  /// Runs the script after letting go of what was inherited: else the sockets of tests that run beside would stay
  /// open with it, and those tests would never see them closed.
  private static let prologue = """
    import os, runpy, sys
    os.closerange(3, 65536)
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(sys.argv[0])
    runpy.run_path(sys.argv[0], run_name="__main__")
    """

  private init(_ script: String, _ environment: [String: String]) throws {
    let input = try Pipe()
    let output = try Pipe()
    let root = repositoryRoot()
    process = try Self.spawn(
      [root + "/.venv/bin/python", "-c", Self.prologue, root + "/" + script, "--with-parent"], environment,
      input.reader, output.writer)
    close(input.reader)
    close(output.writer)
    lifeline = input.writer
    defer { close(output.reader) }
    let line = Self.firstLine(output.reader)
    let announcement = "listening on "
    guard line.hasPrefix(announcement) else {
      close(lifeline)
      throw NotStarted(description: "\(script) did not start; `make deps` installs what it needs")
    }
    url = String(line.dropFirst(announcement.count))
  }

  deinit {
    close(lifeline)
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  private static func spawn(
    _ arguments: [String], _ environment: [String: String], _ input: Int32, _ output: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    // Sockets of other tests must end when those let go of them.
    for descriptor in Int32(3)..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var arguments = arguments.map { strdup($0) } + [nil]
    var variables = inheritedEnvironment().merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var process = pid_t()
    guard let program = arguments[0],
      posix_spawn(&process, program, &actions, nil, &arguments, &variables) == 0
    else { throw NotStarted(description: "there is no .venv/bin/python; `make deps` makes it") }
    return process
  }

  private static func inheritedEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    var next = environ
    while let pointer = next.pointee {
      let parts = String(cString: pointer).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // What this machine says about AWS is not for tests.
      if parts.count == 2, !parts[0].hasPrefix("AWS_") { result[String(parts[0])] = String(parts[1]) }
      next += 1
    }
    return result
  }

  private static func firstLine(_ descriptor: Int32) -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }
}

/// The folder with `Package.swift`.
package func repositoryRoot() -> String {
  String(#filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined())
}

/// Two ends of a pipe that other children do not inherit.
private struct Pipe {
  let reader: Int32
  let writer: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw PythonServer.NotStarted(description: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reader, writer) = (ends[0], ends[1])
  }
}
