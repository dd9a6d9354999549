import HTTP
import Primitives

/// Stands before every Google endpoint: counts the call, makes it wait, and lets a planned fault answer.
struct Gate: Sendable {
  let core: EmulatorCore

  /// The fault's answer, or `real`'s. A call `inside` a batch does not wait for the general latency again.
  func pass(
    _ endpoint: Endpoint, inside: Bool = false, _ real: () async -> HTTPResponse
  ) async -> HTTPResponse {
    let (fault, latency) = core.withState { state, _ in
      state.counts[endpoint, default: 0] += 1
      return (state.faults.next(endpoint), inside ? 0 : state.settings.latencyMilliseconds)
    }
    let delay = latency + (fault?.delayMilliseconds ?? 0)
    // Cancelled means that the caller has gone; the answer then goes nowhere.
    if delay > 0 { try? await core.time.sleep(.milliseconds(delay)) }
    if let response = fault?.response { return response }
    return await real()
  }
}
