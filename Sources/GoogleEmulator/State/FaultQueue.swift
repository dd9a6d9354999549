import HTTP

/// A planned misbehaviour of one endpoint.
struct Fault: Sendable {
  /// What the caller gets in place of the real answer; nil only delays. Status 0 resets the connection.
  let response: HTTPResponse?
  /// How long the caller waits first.
  let delayMilliseconds: Int64
}

/// Faults waiting for the next calls of each endpoint, first in, first out.
struct FaultQueue: Sendable {
  private var waiting: [Endpoint: [(fault: Fault, times: Int)]] = [:]

  /// Plans `fault` for `times` calls, after those planned before.
  mutating func add(_ fault: Fault, to endpoint: Endpoint, times: Int) {
    waiting[endpoint, default: []].append((fault, times))
  }

  /// Forgets what is planned for `endpoint`.
  mutating func clear(_ endpoint: Endpoint) { waiting[endpoint] = nil }

  /// Takes the fault of the call that is coming in now.
  mutating func next(_ endpoint: Endpoint) -> Fault? {
    guard let first = waiting[endpoint]?.first else { return nil }
    if first.times > 1 {
      waiting[endpoint]?[0].times -= 1
    } else {
      waiting[endpoint]?.removeFirst()
    }
    return first.fault
  }
}
