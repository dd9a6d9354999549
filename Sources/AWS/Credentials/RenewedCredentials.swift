import Primitives

/// Keeps the credentials of another source and renews them before they end. However many callers wait, the source
/// is asked once.
package actor RenewedCredentials: CredentialSource {
  private typealias Outcome = Result<AWSCredentials, CredentialError>

  /// So long before their end they are renewed behind the caller …
  static let renewedAhead: Duration = .seconds(300)
  /// … and from here on the caller waits for it: a request takes time, and clocks differ.
  static let neededFor: Duration = .seconds(60)
  /// How long after a failure the source is asked again behind a caller.
  static let pause: Duration = .seconds(10)

  private let source: any CredentialSource
  private let time: TimeSource
  private var current: AWSCredentials?
  private var flight: Task<Outcome, Never>?
  private var notBefore: Timestamp?

  /// A keeper of what `source` gives.
  package init(of source: any CredentialSource, time: TimeSource) {
    self.source = source
    self.time = time
  }

  /// Those that are kept, or new ones. When no new ones are to be had, the kept ones serve until they end.
  package func credentials(rejecting rejected: AWSCredentials?) async throws(CredentialError)
    -> AWSCredentials
  {
    let now = time.now()
    if let current, current != rejected {
      guard let expiration = current.expiration else { return current }
      let left = expiration - now
      if left >= Self.renewedAhead { return current }
      if left >= Self.neededFor {
        if flight == nil, notBefore.map({ $0 <= now }) ?? true { takeOff(rejecting: nil) }
        return current
      }
    }
    switch await (flight ?? takeOff(rejecting: rejected)).value {
    case .success(let credentials): return credentials
    case .failure(let error):
      if let current, current != rejected, let expiration = current.expiration, expiration > time.now() {
        return current
      }
      throw error
    }
  }

  @discardableResult private func takeOff(rejecting rejected: AWSCredentials?) -> Task<Outcome, Never> {
    let flight = Task { [source] in
      let outcome: Outcome
      do throws(CredentialError) {
        outcome = .success(try await source.credentials(rejecting: rejected))
      } catch {
        outcome = .failure(error)
      }
      land(outcome)
      return outcome
    }
    self.flight = flight
    return flight
  }

  private func land(_ outcome: Outcome) {
    flight = nil
    switch outcome {
    case .success(let credentials): (current, notBefore) = (credentials, nil)
    case .failure: notBefore = time.now() + Self.pause
    }
  }
}
