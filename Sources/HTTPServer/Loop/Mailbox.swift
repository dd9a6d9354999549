import HTTP
import Synchronization

/// What an ``EventLoop`` is asked to do, by itself for later or by another thread.
enum Mail: Sendable {
  /// Run a piece of a task.
  case job(UnownedJob)
  /// Send what a responder answered after it had been suspended.
  case answer(Exchange, HTTPResponse)
  /// Look after a new connection.
  case adopt(AcceptedConnection)
  /// Go on with a connection that had its share of a turn.
  case proceed(ConnectionID)
  /// A connection was closed: there may be room to accept again.
  case resumeAccepting
  /// Finish what runs and end.
  case drain
}

/// Mail from other threads.
final class Mailbox: Sendable {
  private struct State {
    var mail: [Mail] = []
    var isClosed = false
  }

  /// What became of a piece of mail.
  enum Outcome {
    /// It is the first since the last ``collect(into:)``: the loop must be woken.
    case first
    /// Others wait already.
    case queued
    /// The loop has ended.
    case closed
  }

  private let state = Mutex(State())

  /// Puts `mail` in, from any thread.
  func post(_ mail: Mail) -> Outcome {
    state.withLock { state in
      if state.isClosed { return .closed }
      state.mail.append(mail)
      return state.mail.count == 1 ? .first : .queued
    }
  }

  /// Swaps what came with the empty `batch`.
  func collect(into batch: inout [Mail]) {
    state.withLock { swap(&$0.mail, &batch) }
  }

  /// Takes no more; gives what is left.
  func close() -> [Mail] {
    state.withLock { state in
      state.isClosed = true
      return state.mail
    }
  }
}
