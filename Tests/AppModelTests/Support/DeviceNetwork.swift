import HTTP
import Synchronization
import TestSupport

/// The network of a device, which a test cuts or holds up at a place of the flow.
final class DeviceNetwork: HTTPClient {
  /// A step of the flow.
  enum Place: String, Sendable, CaseIterable {
    case signUp, signIn, consent, token, upload, profile, disconnect, deletion, other
  }
  /// Which way of a step is meant.
  enum Moment: String, Sendable, CaseIterable {
    case beforeArrival, beforeReply
  }
  private enum Disturbance {
    case cut
    /// Held until the gate opens; then the process that waited counts as dead.
    case killed(Gate)
    /// Held until the gate opens, then goes on.
    case paused(Gate)
  }
  private struct Plan {
    var isDown = false
    var disturbances: [(Place, Moment, Disturbance)] = []
    var sent: [Place: Int] = [:]
  }

  private let client: any HTTPClient
  private let plan = Mutex(Plan())

  init(_ client: any HTTPClient) { self.client = client }

  /// Whether nothing gets through at all.
  var isDown: Bool {
    get { plan.withLock { $0.isDown } }
    set { plan.withLock { $0.isDown = newValue } }
  }

  /// How many requests went out at `place`.
  func sent(_ place: Place) -> Int { plan.withLock { $0.sent[place] ?? 0 } }

  /// Breaks the next request at `place`.
  func cut(_ place: Place, _ moment: Moment) {
    plan.withLock { $0.disturbances.append((place, moment, .cut)) }
  }

  /// Holds the next request at `place` up for good, as for a process that is killed there.
  func kill(_ place: Place, _ moment: Moment) -> Gate {
    let gate = Gate()
    plan.withLock { $0.disturbances.append((place, moment, .killed(gate))) }
    return gate
  }

  /// Holds the reply to the next request at `place` back until the gate opens.
  func pause(_ place: Place) -> Gate {
    let gate = Gate()
    plan.withLock { $0.disturbances.append((place, .beforeReply, .paused(gate))) }
    return gate
  }

  func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    let place = Self.place(of: request)
    guard !isDown else { throw .unreachable }
    try await disturb(take(place, .beforeArrival), otherwise: .unreachable)
    plan.withLock { $0.sent[place, default: 0] += 1 }
    let response = try await client.send(request)
    try await disturb(take(place, .beforeReply), otherwise: .connectionLost)
    return response
  }

  private func disturb(_ disturbance: Disturbance?, otherwise error: HTTPClientError)
    async throws(HTTPClientError)
  {
    switch disturbance {
    case nil: return
    case .cut?: throw error
    case .killed(let gate)?:
      await gate.pass()
      throw .cancelled
    case .paused(let gate)?: await gate.pass()
    }
  }

  private func take(_ place: Place, _ moment: Moment) -> Disturbance? {
    plan.withLock { plan in
      guard let index = plan.disturbances.firstIndex(where: { $0.0 == place && $0.1 == moment }) else {
        return nil
      }
      return plan.disturbances.remove(at: index).2
    }
  }

  private static func place(of request: HTTPClientRequest) -> Place {
    let path = request.url.prefix { $0 != "?" }
    switch request.method {
    case .post where path.hasSuffix("/v1/auth/signup"): return .signUp
    case .post where path.hasSuffix("/v1/auth/login"): return .signIn
    case .post where path.hasSuffix("tokens") && path.contains("/v1/auth/"): return .upload
    case .delete where path.hasSuffix("/v1/auth/gmail-tokens"): return .disconnect
    case .get where path.hasSuffix("/v1/user/me"): return .profile
    case .delete where path.hasSuffix("/v1/user/me"): return .deletion
    case .post where path.hasSuffix("/token"): return .token
    case .get where path.hasSuffix("/auth"): return .consent
    default: return .other
    }
  }
}

/// Begins `work`, and returns when it is held at `gate`, or when it ended without coming there: then the test goes on
/// and fails, rather than wait for ever.
@MainActor func held(
  at gate: Gate, _ work: @escaping @MainActor () async -> Void
) async -> Task<Void, Never> {
  let task = Task {
    await work()
    gate.open()
    await gate.pass()
  }
  await gate.arrival()
  return task
}
