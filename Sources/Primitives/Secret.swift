/// A text that must never be shown: a token, a password, a key.
///
/// Every way of printing it gives `<redacted>`. The text itself is reached only through
/// ``expose()``, so that a reader (and `grep`) finds each place where a secret leaves its wrapper.
public struct Secret: Sendable, Hashable {
  private let text: String

  /// Wraps `text`.
  public init(_ text: String) { self.text = text }

  /// The secret itself, for the one place that has to send, seal or compare it.
  public func expose() -> String { text }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `<redacted>`.
  public var description: String { "<redacted>" }
  /// Always `<redacted>`.
  public var debugDescription: String { "<redacted>" }
  /// Shows no child, so that `dump` tells nothing either.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
