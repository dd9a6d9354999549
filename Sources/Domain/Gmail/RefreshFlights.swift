import Primitives
import Synchronization

/// One refresh a connection at a time within this process; whoever comes meanwhile waits for it.
///
/// A waiter that is cancelled, or runs out of patience, leaves; the flight goes on without it.
final class RefreshFlights: Sendable {
  typealias Outcome = Result<RefreshGrant.Landing, TokenRefusal>

  private struct Waiter {
    let continuation: CheckedContinuation<Outcome?, Never>
    let alarm: Task<Void, any Error>

    func wake(with outcome: Outcome?) {
      alarm.cancel()
      continuation.resume(returning: outcome)
    }
  }
  private struct Flight {
    var waiters: [UInt64: Waiter] = [:]
  }
  private struct State {
    var flights: [UserID: Flight] = [:]
    var nextWaiter: UInt64 = 0
    var idle: [CheckedContinuation<Void, Never>] = []
  }

  private let refresh: RefreshGrant
  private let time: TimeSource
  private let state = Mutex(State())

  init(refresh: RefreshGrant, time: TimeSource) {
    self.refresh = refresh
    self.time = time
  }

  /// A token that meets `need`, from the flight in the air or a new one.
  func join(_ user: UserID, need: TokenNeed) async throws(TokenRefusal) -> GoogleAccessToken {
    let arrival = time.now()
    let patience = arrival + TokenSource.patience
    // A flight that was in the air already may bring what this caller cannot use; then one more is made.
    for _ in 0..<2 {
      guard let outcome = await land(user, need: need, until: patience) else { break }
      let landing = try outcome.get()
      if landing.refreshedAt.map({ $0 >= arrival }) ?? false { return landing.token }
      if !need.wantsFresh, landing.token != need.rejected, landing.expiresAt - time.now() >= need.validFor {
        return landing.token
      }
    }
    throw .temporarilyUnavailable(retryAfter: TokenSource.retryAfter)
  }

  /// Sends a flight off unless one is in the air.
  func start(_ user: UserID, need: TokenNeed) {
    let isNew = state.withLock { state in
      guard state.flights[user] == nil else { return false }
      state.flights[user] = Flight()
      return true
    }
    if isNew { fly(user, need: need) }
  }

  /// Returns when no flight is in the air.
  func drain() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if !state.flights.isEmpty { state.idle.append(continuation) }
        return state.flights.isEmpty
      }
      if isIdle { continuation.resume() }
    }
  }

  private func fly(_ user: UserID, need: TokenNeed) {
    Task {
      let outcome: Outcome
      do throws(TokenRefusal) { outcome = .success(try await refresh(user, need: need)) } catch {
        outcome = .failure(error)
      }
      let (waiters, idle) = state.withLock { state in
        let flight = state.flights.removeValue(forKey: user)
        let idle = state.flights.isEmpty ? state.idle : []
        if state.flights.isEmpty { state.idle = [] }
        return (flight?.waiters.values.map(\.self) ?? [], idle)
      }
      for waiter in waiters { waiter.wake(with: outcome) }
      for continuation in idle { continuation.resume() }
    }
  }

  /// The outcome of the flight in the air, or of one sent off now; nil when this caller left before it landed.
  private func land(_ user: UserID, need: TokenNeed, until patience: Timestamp) async -> Outcome? {
    let ticket = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNew = state.withLock { state in
          let isNew = state.flights[user] == nil
          // Set under the lock: an alarm that goes off finds its waiter.
          let alarm = Task {
            try await time.sleep(patience - time.now())
            leave(user, ticket)
          }
          state.flights[user, default: Flight()].waiters[ticket] = Waiter(
            continuation: continuation, alarm: alarm)
          return isNew
        }
        if isNew { fly(user, need: need) }
        if Task.isCancelled { leave(user, ticket) }
      }
    } onCancel: {
      leave(user, ticket)
    }
  }

  private func leave(_ user: UserID, _ ticket: UInt64) {
    state.withLock { $0.flights[user]?.waiters.removeValue(forKey: ticket) }?.wake(with: nil)
  }
}
