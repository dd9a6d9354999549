import Domain
import Primitives
import Synchronization

/// A small Google behind the Domain's ports: accounts, grants, tokens with lifetimes; with failures by
/// script, counts of calls, and gates that hold a call until the test lets it go.
package final class FakeGoogle: GoogleOAuth, Mailbox {
  /// What is called.
  package enum Endpoint: Sendable, Hashable {
    /// `/tokeninfo`.
    case tokenInfo
    /// `/userinfo`.
    case userInfo
    /// `/token`.
    case token
    /// `/revoke`.
    case revoke
    /// `users.getProfile`.
    case profile
    /// `messages.list` and `messages.get`.
    case newestMessage
  }

  /// Where a gate holds a call.
  package enum Hold: Sendable, Hashable {
    /// Before Google does anything.
    case onArrival
    /// After Google did it, before the answer is back.
    case onReturn
  }

  let state: Mutex<FakeGoogleState>
  private let clock: TestClock

  /// A Google without accounts.
  package init(clock: TestClock) {
    self.clock = clock
    state = Mutex(FakeGoogleState())
  }

  /// Changes how it behaves.
  package func configure(_ change: (inout FakeGoogleSettings) -> Void) {
    state.withLock { change(&$0.settings) }
  }

  /// How often `endpoint` was called.
  package func calls(_ endpoint: Endpoint) -> Int { state.withLock { $0.calls[endpoint, default: 0] } }

  /// How often any endpoint was called.
  package var calls: Int { state.withLock { $0.calls.values.reduce(0, +) } }

  /// The timeouts that `/token` was called with.
  package var tokenTimeouts: [Duration] { state.withLock { $0.tokenTimeouts } }

  /// The next `times` calls of `endpoint` fail.
  package func fail(_ endpoint: Endpoint, _ error: GoogleError, times: Int = .max) {
    state.withLock { $0.failures[endpoint] = (error, times) }
  }

  /// Calls of `endpoint` work again.
  package func heal(_ endpoint: Endpoint) { state.withLock { $0.failures[endpoint] = nil } }

  /// Holds the next call of `endpoint` that no earlier gate holds.
  package func hold(_ endpoint: Endpoint, _ hold: Hold = .onArrival) -> Gate {
    let gate = Gate()
    state.withLock { $0.gates[endpoint, default: []].append((hold, gate)) }
    return gate
  }

  /// Takes a gate away that nobody has come to.
  package func withdraw(_ gate: Gate) {
    state.withLock { state in
      for endpoint in state.gates.keys { state.gates[endpoint]?.removeAll { $0.1 === gate } }
    }
  }

  // MARK: The ports

  package func tokenInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> TokenInfo {
    try await call(.tokenInfo) { state, now in state.tokenInfo(token, at: now) }
  }

  package func userInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> UserInfo {
    try await call(.userInfo) { state, now in state.userInfo(token, at: now) }
  }

  package func refresh(_ token: GoogleRefreshToken, clientID: GoogleClientID, timeout: Duration)
    async throws(GoogleError) -> TokenReply
  {
    state.withLock { $0.tokenTimeouts.append(timeout) }
    return try await call(.token) { state, now in state.refresh(token, clientID: clientID, at: now) }
  }

  package func revoke(_ token: Secret) async throws(GoogleError) {
    try await call(.revoke) { state, now in state.revoke(token) }
  }

  package func profile(_ token: GoogleAccessToken) async throws(GoogleError) -> MailboxProfile {
    try await call(.profile) { state, now in state.profile(token, at: now) }
  }

  package func newestMessage(_ token: GoogleAccessToken) async throws(GoogleError) -> GmailMessage? {
    try await call(.newestMessage) { state, now in state.newestMessage(token, at: now) }
  }

  private func call<Answer: Sendable>(
    _ endpoint: Endpoint,
    _ act: @Sendable (inout FakeGoogleState, Timestamp) -> Result<Answer, GoogleError>
  ) async throws(GoogleError) -> Answer {
    let held = state.withLock { state in
      state.calls[endpoint, default: 0] += 1
      return state.nextGate(at: endpoint)
    }
    if let (hold, gate) = held, hold == .onArrival { await gate.pass() }
    let now = clock.now
    let answer = state.withLock { state in
      if let error = state.nextFailure(at: endpoint) { return Result<Answer, GoogleError>.failure(error) }
      return act(&state, now)
    }
    if let (hold, gate) = held, hold == .onReturn { await gate.pass() }
    return try answer.get()
  }
}
