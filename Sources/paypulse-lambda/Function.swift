import API
import AWS
import Domain
import HTTP
import Primitives

/// Answers every kind of event.
package struct Function: LambdaHandler {
  /// An HTTP API waits for 30 s; what the answer takes on its way is left over.
  package static let longestRequest: Duration = .seconds(25)

  private let live: LiveBackend
  private let basePath: String
  private let enqueue: @Sendable ([QueuedTask]) async throws(LambdaFailure) -> Void
  private let deadline: InvocationDeadline
  private let time: TimeSource
  private let log: Log

  /// A function. `enqueue` hands tasks to whoever does them.
  package init(
    live: LiveBackend, basePath: String,
    enqueue: @escaping @Sendable ([QueuedTask]) async throws(LambdaFailure) -> Void,
    deadline: InvocationDeadline, time: TimeSource, log: Log
  ) {
    self.live = live
    self.basePath = basePath
    self.enqueue = enqueue
    self.deadline = deadline
    self.time = time
    self.log = log
  }

  /// The event's result. What was begun behind it is done too: nothing runs on in a process that is frozen.
  package func respond(to invocation: LambdaInvocation) async throws(LambdaFailure) -> [UInt8] {
    switch try LambdaEvent(invocation.event, basePath: basePath, id: invocation.id) {
    case .request(let request):
      deadline.shorten(to: time.now() + Self.longestRequest)
      return await AnswerRequest(live: live, time: time, log: log)(request).lambdaResult
    case .schedule:
      return try await settled { backend throws(LambdaFailure) in
        try await RunSchedule(sweep: backend.sweep, enqueue: enqueue, log: log)()
      }
    case .messages(let messages):
      return try await settled { backend in
        await DoQueuedTasks(sweep: backend.sweep, deadline: deadline, time: time, log: log)(messages)
      }
    case .command(let command):
      return try await settled { backend throws(LambdaFailure) in
        try await ObeyOperator(backend: backend, deadline: deadline, time: time)(command)
      }
    }
  }

  private func settled(_ work: (Backend) async throws(LambdaFailure) -> [UInt8]) async throws(LambdaFailure)
    -> [UInt8]
  {
    let backend = await live.current().backend
    let result: Result<[UInt8], LambdaFailure>
    do throws(LambdaFailure) { result = .success(try await work(backend)) } catch {
      result = .failure(error)
    }
    await backend.drain()
    return try result.get()
  }
}
