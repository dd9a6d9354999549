import HTTP
import Primitives

/// The loop of a function's process: takes an invocation, has it answered, takes the next.
package struct LambdaRuntime: Sendable {
  private let api: RuntimeAPI
  private let deadline: InvocationDeadline
  private let publishTraceID: @Sendable (String?) -> Void
  private let log: Log

  /// A loop over the interface at `authority` (`AWS_LAMBDA_RUNTIME_API`). `deadline` is kept at the present
  /// invocation's; `publishTraceID` is told the trace of each, while nothing else runs.
  package init(
    authority: String, client: any HTTPClient, deadline: InvocationDeadline,
    publishTraceID: @escaping @Sendable (String?) -> Void, log: Log
  ) {
    api = RuntimeAPI(authority: authority, client: client)
    self.deadline = deadline
    self.publishTraceID = publishTraceID
    self.log = log
  }

  /// Answers invocations until the platform cannot be used any more; the process then ends with this exit code.
  package func run(_ handler: some LambdaHandler) async -> Int32 {
    do throws(RuntimeAPI.Failure) {
      while true {
        let invocation = try await api.next()
        deadline.begin(invocation.deadline)
        publishTraceID(invocation.traceID)
        try await answer(invocation, by: handler)
        deadline.end()
      }
    } catch {
      log.error("runtime_api_failed", [("reason", .string(Self.name(of: error)))])
      return 1
    }
  }

  /// Tells the platform that this process cannot begin; it then has to end with this exit code.
  package func failInitialization(_ failure: LambdaFailure) async -> Int32 {
    log.alert(
      "start_failed", [("type", .string(failure.type)), ("advice", .string(failure.message))])
    do throws(RuntimeAPI.Failure) { try await api.failInitialization(with: failure) } catch {
      log.error("runtime_api_failed", [("reason", .string(Self.name(of: error)))])
    }
    return 1
  }

  private func answer(_ invocation: LambdaInvocation, by handler: some LambdaHandler)
    async throws(RuntimeAPI.Failure)
  {
    let result: Result<[UInt8], LambdaFailure>
    do throws(LambdaFailure) { result = .success(try await handler.respond(to: invocation)) } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let body): note(try await api.answer(invocation.id, with: body), of: invocation)
    case .failure(let failure):
      log.error(
        "invocation_failed",
        [
          ("id", .string(invocation.id)), ("type", .string(failure.type)),
          ("message", .string(failure.message)),
        ])
      note(try await api.fail(invocation.id, with: failure), of: invocation)
    }
  }

  private func note(_ verdict: RuntimeAPI.Verdict, of invocation: LambdaInvocation) {
    switch verdict {
    case .accepted: break
    case .tooLarge: log.error("answer_too_large", [("id", .string(invocation.id))])
    case .late: log.error("answer_too_late", [("id", .string(invocation.id))])
    }
  }

  private static func name(of failure: RuntimeAPI.Failure) -> String {
    switch failure {
    case .unreachable: "unreachable"
    case .refused(let status): "status \(status)"
    case .invalidInvocation: "an invocation without id or deadline"
    }
  }
}
