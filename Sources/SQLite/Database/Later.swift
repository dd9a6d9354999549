/// Holds what a write gives until its caller takes it.
///
/// Unchecked: the caller, and the thread that writes, which resumes the caller afterwards, set it one after the other.
final class Later<Value>: @unchecked Sendable {
  var value: Value?

  /// The value, which was set.
  func taken() -> Value {
    guard let value = value.take() else { preconditionFailure("a write that was made has its answer") }
    return value
  }
}
