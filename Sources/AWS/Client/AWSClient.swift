import HTTP
import Primitives

/// Calls AWS's services in one region: signs, sends, reads the answer, and tries again where that is right.
///
/// - A request that was certainly not carried out (throttled, no connection, a conflict) is always repeated; one
///   that may have been only when repeating it is safe.
/// - Pauses have full jitter. Nothing goes on beyond the call's time limit or the deadline.
/// - Bodies of requests and replies reach neither the log nor an error that prints itself.
package struct AWSClient: Sendable {
  let configuration: AWSConfiguration
  private let credentials: any CredentialSource
  private let http: any HTTPClient
  private let time: TimeSource
  private let random: RandomSource
  private let log: Log
  private let policy: RetryPolicy
  private let deadline: @Sendable () -> Timestamp?
  private let signers: [AWSService: RequestSigner]

  /// A client. `deadline` is asked at each call for the moment by which it must have ended, as that of the
  /// invocation at hand; nil for none.
  package init(
    configuration: AWSConfiguration, credentials: any CredentialSource, http: any HTTPClient,
    time: TimeSource, random: RandomSource, log: Log, policy: RetryPolicy = RetryPolicy(),
    deadline: @escaping @Sendable () -> Timestamp? = { nil }
  ) {
    self.configuration = configuration
    self.credentials = credentials
    self.http = http
    self.time = time
    self.random = random
    self.log = log
    self.policy = policy
    self.deadline = deadline
    signers = Dictionary(
      uniqueKeysWithValues: AWSService.allCases.map { service in
        (service, RequestSigner(service: service.name, region: configuration.region, time: time))
      })
  }

  /// A random token by which a service knows a repeated request again: 36 characters, as every service takes them.
  package func token() -> String { random.uuid() }

  /// How often a thing is tried.
  var maximumAttempts: Int { policy.maximumAttempts }

  /// The present moment, by the clock that signs.
  var now: Timestamp { time.now() }

  /// Pauses before something is asked again that a service said yes to and left undone, as if for the `attempt`th
  /// time; throws when the deadline leaves no time for it.
  func breathe(afterAttempt attempt: Int) async throws(AWSError) {
    let pause = policy.pause(afterAttempt: attempt, throttled: true, unit: random.unit())
    if let end = deadline(), time.now() + pause >= end { throw .timedOut }
    do { try await time.sleep(pause) } catch { throw .cancelled }
  }

  /// The result of `action` with `input`.
  package func call(_ action: some AWSAction, _ input: JSONValue, isRepeatable: Bool? = nil)
    async throws(AWSError) -> JSONValue
  {
    try await call(action, body: input.serialized, isRepeatable: isRepeatable)
  }

  /// The result of `action` with the input in `body`. `isRepeatable` overrules the action's own, for a caller who
  /// knows that this request can be made again whatever became of it.
  package func call(_ action: some AWSAction, body: [UInt8], isRepeatable: Bool? = nil) async throws(AWSError)
    -> JSONValue
  {
    var attempts = Attempts(
      end: min(time.now() + policy.callTimeout, deadline() ?? Timestamp(microseconds: .max)),
      isRepeatable: isRepeatable ?? action.isRepeatable)
    while true {
      attempts.count += 1
      do throws(AWSError) { return try await attempt(action, body, &attempts) } catch {
        try await pause(after: error, of: action, &attempts)
      }
    }
  }

  /// Waits before the next attempt; throws what the call ends with when there is to be none.
  private func pause(after error: AWSError, of action: some AWSAction, _ attempts: inout Attempts)
    async throws(AWSError)
  {
    guard attempts.count < policy.maximumAttempts, attempts.allowsAnother(after: error) else {
      throw attempts.outcome(error)
    }
    let pause = policy.pause(
      afterAttempt: attempts.count, throttled: error == .throttled, unit: random.unit())
    guard time.now() + pause < attempts.end else { throw attempts.outcome(error) }
    attempts.hasUnknownOutcome = attempts.hasUnknownOutcome || error.mayHaveBeenDone
    log.info(
      "aws_call_repeated",
      [
        ("service", .string(type(of: action).service.name)), ("action", .string(action.rawValue)),
        ("attempt", .integer(Int64(attempts.count))), ("reason", .string(error.name)),
      ])
    do { try await time.sleep(pause) } catch { throw .cancelled }
  }

  /// One request; a second one with other credentials when the first ones have ended.
  private func attempt(_ action: some AWSAction, _ body: [UInt8], _ attempts: inout Attempts)
    async throws(AWSError) -> JSONValue
  {
    let used = try await currentCredentials(rejecting: nil)
    do throws(AWSError) { return try await send(action, body, used, until: attempts.end) } catch {
      guard case .denied(let code) = error, ErrorCodes.credentials.contains(code),
        !attempts.hasRenewedCredentials
      else { throw error }
      attempts.hasRenewedCredentials = true
      let renewed = try await currentCredentials(rejecting: used)
      if renewed == used { throw error }
      return try await send(action, body, renewed, until: attempts.end)
    }
  }

  private func currentCredentials(rejecting rejected: AWSCredentials?) async throws(AWSError)
    -> AWSCredentials
  {
    do throws(CredentialError) { return try await credentials.credentials(rejecting: rejected) } catch {
      throw .noCredentials(error)
    }
  }

  private func send(
    _ action: some AWSAction, _ body: [UInt8], _ credentials: AWSCredentials, until end: Timestamp
  ) async throws(AWSError) -> JSONValue {
    let service = type(of: action).service
    guard let endpoint = configuration.endpoint(of: service), let signer = signers[service] else {
      throw .unreachable
    }
    let left = end - time.now()
    guard left > .zero else { throw .timedOut }
    let request = AWSRequest(
      endpoint: endpoint,
      fields: ["Content-Type": service.contentType, "X-Amz-Target": service.targetPrefix + action.rawValue],
      body: body, timeout: min(left, policy.attemptTimeout))
    let response: HTTPResponse
    do throws(HTTPClientError) {
      response = try await http.send(signer.sign(request, with: credentials))
    } catch {
      throw AWSError(error)
    }
    return try ServiceReply.read(response)
  }
}
