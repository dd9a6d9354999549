import Dispatch
import Glibc
import PayPulseKit
import Primitives

/// The named pipe (0600, in the command's own directory) by which the desktop's handler hands a redirect to the command
/// that waits for it. What arrives is untrusted until its `state` is ours.
final class RedirectPipe: Sendable {
  private let path: String
  private let descriptor: Int32
  private let wakeReader: Int32
  private let wakeWriter: Int32

  /// Makes the pipe, in place of one that an earlier command left.
  init(path: String) throws(StorageError) {
    self.path = path
    let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    FileIO.makeDirectories(directory, mode: 0o700)
    unlink(path)
    guard chmod(directory, 0o700) == 0, mkfifo(path, 0o600) == 0 else { throw .file(path: path, code: errno) }
    // Opened for writing too, so that a handler's end does not look like the end of the pipe.
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    var ends: [Int32] = [-1, -1]
    guard descriptor >= 0, pipe(&ends) == 0 else {
      throw .file(path: path, code: errno)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (wakeReader, wakeWriter) = (ends[0], ends[1])
  }

  /// Hands `redirect` to whoever waits at `path`.
  ///
  /// - Returns: false when nobody does.
  static func send(_ redirect: String, to path: String) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: sendNow(redirect, to: path)) }
    }
  }

  private static func sendNow(_ redirect: String, to path: String) -> Bool {
    let bytes = Array((redirect + "\n").utf8)
    // One write of at most PIPE_BUF bytes arrives whole.
    guard bytes.count <= Int(PIPE_BUF), !redirect.contains("\n") else { return false }
    let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFIFO else { return false }
    return write(descriptor, bytes, bytes.count) == bytes.count
  }

  /// The first answer to `attempt`, from the pipe or pasted to standard input; ends with the task.
  ///
  /// - Parameter isRegistered: whether a handler may still come when standard input has ended.
  func answer(
    to attempt: AuthorizationAttempt, isRegistered: Bool, terminal: Terminal
  ) async throws(AuthorizationError) -> String {
    let result: Result<String, AuthorizationError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: self.wait(for: attempt, isRegistered, terminal))
        }
      }
    } onCancel: {
      var byte: UInt8 = 1
      _ = write(wakeWriter, &byte, 1)
    }
    return try result.get()
  }

  /// Removes the pipe.
  func close() {
    unlink(path)
    for descriptor in [descriptor, wakeReader, wakeWriter] { Glibc.close(descriptor) }
  }

  private func wait(
    for attempt: AuthorizationAttempt, _ isRegistered: Bool, _ terminal: Terminal
  ) -> Result<String, AuthorizationError> {
    var lines = [LineReader(descriptor: descriptor), LineReader(descriptor: 0)]
    while true {
      var waiting = lines.map {
        pollfd(fd: $0.isAtEnd ? -1 : $0.descriptor, events: Int16(POLLIN), revents: 0)
      }
      waiting.append(pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0))
      guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 || errno == EINTR else {
        return .failure(.cancelled)
      }
      if waiting[2].revents != 0 { return .failure(.cancelled) }
      for index in lines.indices where waiting[index].revents != 0 {
        for line in lines[index].available() {
          if attempt.isOurs(line) { return .success(line) }
          if !line.isEmpty {
            terminal.note("That is not the answer to this request. Paste the whole address.")
          }
        }
      }
      if lines[1].isAtEnd, !isRegistered {
        return .failure(
          .receiver("Google's answer cannot arrive here: no terminal to paste it at, and no desktop."))
      }
    }
  }
}

/// Takes lines from a descriptor as they come.
private struct LineReader {
  let descriptor: Int32
  private(set) var isAtEnd = false
  private var held: [UInt8] = []

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The lines that one read completes; a last one needs no line end.
  mutating func available() -> [String] {
    var chunk = [UInt8](repeating: 0, count: 8192)
    let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    if count <= 0 { isAtEnd = true }
    held += chunk[..<max(count, 0)]
    var pieces = held.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    held = isAtEnd ? [] : Array(pieces.removeLast())
    // Nobody's address is longer; a stream without lines must not grow.
    if held.count > 65536 { held = [] }
    return pieces.map { Self.trimmed($0) }
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]
    var line = bytes.drop { blanks.contains($0) }
    while let last = line.last, blanks.contains(last) { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
