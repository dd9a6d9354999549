import Primitives
import Synchronization

/// Pays the revocations that are owed to Google, one attempt at a time (DESIGN 3.5).
package final class RevokeGrants: Sendable {
  private let queue: any RevocationQueue
  private let google: any GoogleOAuth
  private let configuration: GoogleConfiguration
  private let time: TimeSource
  private let log: Log
  private let running = Mutex<[String: Task<Void, Never>]>([:])

  /// For how long a revocation is tried.
  package static let patience: Duration = .seconds(24 * 3600)
  /// How long after an attempt that failed the next one is due.
  private static let pause: Duration = .seconds(60)
  private static let batch = 50

  /// Revokes what `queue` holds.
  package init(
    queue: any RevocationQueue, google: any GoogleOAuth, configuration: GoogleConfiguration, time: TimeSource,
    log: Log
  ) {
    self.queue = queue
    self.google = google
    self.configuration = configuration
    self.time = time
    self.log = log
  }

  /// Attempts the order once. A store that fails after the order was queued leaves it to the sweep.
  package func attempt(_ id: String) async throws(StoreError) -> DisconnectGmail.Revocation {
    let began = time.now()
    switch try await queue.begin(id, at: began) {
    case .marked(let order): return try await revoke(order, began: began)
    case .held, .gone: return .notNeeded
    case .busy: return .pending
    }
  }

  /// Attempts the order without anyone waiting for it.
  package func attemptInBackground(_ id: String) {
    running.withLock { running in
      running[id] = Task {
        do { _ = try await attempt(id) } catch { log.error("revocation_not_attempted") }
        forget(id)
      }
    }
  }
  private func forget(_ id: String) { running.withLock { _ = $0.removeValue(forKey: id) } }

  /// Attempts every order that is due, until the task is cancelled.
  package func attemptDue() async throws(StoreError) {
    try await forEach(try await queue.due(at: time.now(), limit: Self.batch)) { id throws(StoreError) in
      if !Task.isCancelled { _ = try await attempt(id) }
    }
  }

  /// Returns when no attempt is under way.
  package func drain() async {
    for task in running.withLock({ Array($0.values) }) { await task.value }
  }

  private func revoke(_ order: RevocationOrder, began: Timestamp) async throws(StoreError)
    -> DisconnectGmail.Revocation
  {
    // A process that was stopped here may wake after its mark has ended, and the account been connected again.
    let isStillMarked = time.now() - began < RevocationMark.longestRun / 2
    let isDone = isStillMarked ? await tellGoogle(order) : false
    let now = time.now()
    // Gone within 24 hours: there is no attempt after them.
    let givesUp = !isDone && now + Self.pause >= order.queuedAt + Self.patience
    if givesUp { log.alert("revocation_given_up", [("queued_at", .string(order.queuedAt.iso8601))]) }
    try await queue.finish(order, at: now, retryAt: isDone || givesUp ? nil : now + Self.pause)
    return isDone ? .revoked : .pending
  }

  private func tellGoogle(_ order: RevocationOrder) async -> Bool {
    // A token goes to the Google that it came from, or nowhere.
    guard order.googleBaseURL == configuration.baseURL else { return false }
    do throws(GoogleError) {
      try await google.revoke(order.token)
      return true
    } catch {
      return false
    }
  }
}
