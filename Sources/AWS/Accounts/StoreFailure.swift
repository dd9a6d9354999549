import Domain
import Primitives

/// Tells the log why a store gives no answer, and makes the error that its callers know.
struct StoreFailure: Sendable {
  let log: Log

  /// The store's error for `error`, which came up in `work`.
  func error(_ error: AWSError, in work: StaticString) -> StoreError {
    switch error {
    case .cancelled: break
    case .denied, .noCredentials:
      log.alert("aws_refused", [("work", .string("\(work)")), ("reason", .string(error.name))])
    case .service, .throttled, .unreachable, .unavailable, .timedOut:
      log.error("store_unavailable", [("work", .string("\(work)")), ("reason", .string(error.name))])
    }
    return .unavailable
  }

  /// What `call` gives.
  func run<Result>(_ work: StaticString, _ call: () async throws(AWSError) -> Result)
    async throws(StoreError) -> Result
  {
    do throws(AWSError) { return try await call() } catch { throw self.error(error, in: work) }
  }
}
