import AWS
import Primitives
import Synchronization
import paypulse_lambda

/// The secrets that the settings are read from.
final class FakeSettings: Sendable {
  private struct State {
    var value: Result<SecretSettings, LambdaFailure>
    var reads = 0
  }
  private let state: Mutex<State>

  init(_ value: SecretSettings) { state = Mutex(State(value: .success(value))) }

  /// How often they were read.
  var reads: Int { state.withLock { $0.reads } }

  /// What they are from now on; nil when they cannot be read.
  func set(_ value: SecretSettings?) {
    let failure = LambdaFailure(type: "Test.NoSecrets", message: "no secrets")
    state.withLock { $0.value = value.map { .success($0) } ?? .failure(failure) }
  }

  func read() throws(LambdaFailure) -> SecretSettings {
    let value = state.withLock { state in
      state.reads += 1
      return state.value
    }
    return try value.get()
  }
}

/// The queue that grants to use are handed to.
final class FakeQueue: Sendable {
  private struct State {
    var tasks: [QueuedTask] = []
    var fails = false
  }
  private let state = Mutex(State())

  /// What was handed over.
  var tasks: [QueuedTask] { state.withLock { $0.tasks } }

  /// Whether it takes nothing.
  var fails: Bool {
    get { state.withLock { $0.fails } }
    set { state.withLock { $0.fails = newValue } }
  }

  func take(_ tasks: [QueuedTask]) throws(LambdaFailure) {
    guard !fails else { throw .notDone("no queue") }
    state.withLock { $0.tasks += tasks }
  }
}
