/// Writes one JSON object a line: time, level, event, and fields that are safe to show.
///
/// A field's value is a number, a flag or a short text that the caller chose; a ``Secret`` does not fit in.
public struct Log: Sendable {
  /// How much a line matters. An `alert` is for a person to act on now.
  public enum Level: String, Sendable, Comparable {
    /// Ordinary events.
    case info
    /// Something that heals by itself.
    case warning
    /// Something that failed for one user or request.
    case error
    /// Something that only the operator can mend.
    case alert

    private var rank: Int {
      switch self {
      case .info: 0
      case .warning: 1
      case .error: 2
      case .alert: 3
      }
    }
    /// Whether `left` matters less than `right`.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
  }

  private let clock: @Sendable () -> Timestamp
  private let write: @Sendable ([UInt8]) -> Void

  /// A log whose lines go to `write`, each with its line feed.
  public init(clock: @escaping @Sendable () -> Timestamp, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.clock = clock
    self.write = write
  }

  /// A log whose lines go to `emit` as texts, without the line's end.
  public init(clock: @escaping @Sendable () -> Timestamp, emit: @escaping @Sendable (String) -> Void) {
    self.init(clock: clock, write: { emit(String(decoding: $0.dropLast(), as: UTF8.self)) })
  }

  /// A log that writes nothing.
  public static let silent = Log(clock: { Timestamp(microseconds: 0) }, write: { _ in })

  /// Writes one line.
  public func write(_ level: Level, _ event: StaticString, _ fields: [(StaticString, JSONValue)] = []) {
    var text = JSONText(capacity: 384)
    text.object {
      $0.member("time", clock().iso8601)
      $0.member("level", level.rawValue)
      $0.key("event")
      $0.value(event)
      for (name, value) in fields {
        $0.key(name)
        Self.write(value, to: &$0)
      }
    }
    text.endLine()
    write(text.bytes)
  }

  private static func write(_ value: JSONValue, to text: inout JSONText) {
    switch value {
    case .integer(let number): text.value(number)
    case .number(let number): text.value(number)
    case .bool(let flag): text.value(flag)
    case .string(let string): text.value(string)
    case .null, .array, .object: text.null()
    }
  }

  /// Writes an ordinary event.
  public func info(_ event: StaticString, _ fields: [(StaticString, JSONValue)] = []) {
    write(.info, event, fields)
  }
  /// Writes something that heals by itself.
  public func warning(_ event: StaticString, _ fields: [(StaticString, JSONValue)] = []) {
    write(.warning, event, fields)
  }
  /// Writes a failure.
  public func error(_ event: StaticString, _ fields: [(StaticString, JSONValue)] = []) {
    write(.error, event, fields)
  }
  /// Writes what the operator must act on.
  public func alert(_ event: StaticString, _ fields: [(StaticString, JSONValue)] = []) {
    write(.alert, event, fields)
  }
}
