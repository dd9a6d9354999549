import AWS
import Domain
import Primitives

/// Does what the messages of a batch ask for. Those that could not be done are named in the result, so that they
/// come again, or end among the dead letters.
struct DoQueuedTasks {
  /// So many at once; a batch has ten messages unless someone says otherwise.
  private static let width = 10

  let sweep: SweepGrants
  let deadline: InvocationDeadline
  let time: TimeSource
  let log: Log

  func callAsFunction(_ messages: [QueueMessage]) async -> [UInt8] {
    let failed = await withTaskGroup(of: QueueMessage?.self) { group in
      var failed: [QueueMessage] = []
      for (place, message) in messages.enumerated() {
        if place >= Self.width, let done = await group.next() { failed += [done].compactMap(\.self) }
        group.addTask {
          guard hasTime(place), await isDone(message) else { return message }
          return nil
        }
      }
      for await message in group { failed += [message].compactMap(\.self) }
      return failed
    }
    return QueueMessage.result(failed: failed)
  }

  /// A flight that cannot land is not begun: the message comes again in another invocation.
  private func hasTime(_ place: Int) -> Bool {
    guard place >= Self.width, let remaining = deadline.remaining(at: time.now()) else { return true }
    return remaining > RefreshGrant.longestFlight
  }

  private func isDone(_ message: QueueMessage) async -> Bool {
    guard case .useGrant(let user) = message.task else {
      log.error("message_unknown", [("id", .string(message.id))])
      return false
    }
    do throws(StoreError) {
      try await sweep.useIfDue(user)
      return true
    } catch {
      if error == .noSuchUser { return true }
      log.error("grant_not_used", [("id", .string(message.id))])
      return false
    }
  }
}
