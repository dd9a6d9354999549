/// How often a second something can be done.
struct Throughput {
  /// How long it is done.
  var time: Duration = .seconds(2)

  /// Done by so many tasks at once, each of which is told its number and its turn.
  func perSecond(tasks: Int, _ work: @escaping @Sendable (_ task: Int, _ turn: Int) async throws -> Void)
    async throws -> Double
  {
    let start = ContinuousClock.now
    let end = start + time
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var turn = 0
          while ContinuousClock.now < end {
            try await work(task, turn)
            turn += 1
          }
          return turn
        }
      }
      return try await group.reduce(0, +)
    }
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  /// Done on this thread alone; the clock is looked at once in a hundred times.
  func perSecond(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    var count = 0
    while ContinuousClock.now - start < time {
      for _ in 0..<100 { try work() }
      count += 100
    }
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
  }
}
