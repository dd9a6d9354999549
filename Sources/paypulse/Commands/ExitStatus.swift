/// How a command ended, as the shell sees it.
enum ExitStatus: Int32 {
  case done = 0
  case refused = 1
  case usage = 2
  case unreachable = 3
}

/// A command that did not do what it was asked, with what to say of it.
struct CommandFailure: Error {
  let message: String
  let status: ExitStatus

  init(_ message: String, status: ExitStatus = .refused) {
    self.message = message
    self.status = status
  }
}
