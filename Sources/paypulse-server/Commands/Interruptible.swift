import HTTPServer

/// Work that a signal ends in order: it is cancelled and its end waited for, since a refresh in the air must
/// land. Google may give it a token that nobody else has.
struct Interruptible {
  private let work: @Sendable () async throws -> Int32

  init(_ work: @escaping @Sendable () async throws -> Int32) { self.work = work }

  /// The status that the work ends with.
  func callAsFunction() async throws -> Int32 {
    let signals = try Signals.stream()
    let task = Task { try await work() }
    let watch = Task { for await _ in signals { task.cancel() } }
    defer { watch.cancel() }
    return try await task.value
  }
}
