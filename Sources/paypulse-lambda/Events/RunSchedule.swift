import AWS
import Domain
import Primitives

/// What the schedule brings round: tidies up, and hands each grant that is due to the queue.
struct RunSchedule {
  /// So many grants a round are handed on at most; the next round goes on with the others.
  private static let mostGrants = 10_000

  let sweep: SweepGrants
  let enqueue: @Sendable ([QueuedTask]) async throws(LambdaFailure) -> Void
  let log: Log

  func callAsFunction() async throws(LambdaFailure) -> [UInt8] {
    var failure: LambdaFailure?
    do throws(StoreError) { try await sweep.tidyUp() } catch {
      log.error("sweep_failed")
      failure = .notDone("A part of the sweep could not be done.")
    }
    let due = try await usersDue()
    try await enqueue(due.map { .useGrant($0) })
    log.info("grants_due", [("count", .integer(Int64(due.count)))])
    if let failure { throw failure }
    return JSONValue.object(["due": .integer(Int64(due.count))]).serialized
  }

  private func usersDue() async throws(LambdaFailure) -> [UserID] {
    do throws(StoreError) { return try await sweep.due(limit: Self.mostGrants) } catch {
      log.error("sweep_failed")
      throw .notDone("The grants that are due could not be read.")
    }
  }
}
