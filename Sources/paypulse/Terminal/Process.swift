import Dispatch
import Glibc

/// This process's end, and other programs it starts.
enum Process {
  /// Ends the process.
  static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }

  /// Runs a program found in the path, without input and output of ours, and waits for it.
  ///
  /// - Returns: its exit status; -1 when it cannot be started or was killed.
  static func run(_ arguments: [String]) async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: runNow(arguments)) }
    }
  }

  private static func runNow(_ arguments: [String]) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    guard posix_spawn_file_actions_init(&actions) == 0 else { return -1 }
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, mode) in [(Int32(0), O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
      guard posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0) == 0 else {
        return -1
      }
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child: pid_t = 0
    guard posix_spawnp(&child, arguments[0], &actions, nil, words, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }
}
