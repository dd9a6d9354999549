/// A text that names one thing of kind `Thing`, so that a user's id cannot be passed as a grant's.
public struct Identifier<Thing>: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  /// The identifier as it is stored and sent.
  public let rawValue: String
  /// Wraps `rawValue` as it is.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Wraps `rawValue` as it is.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// The identifier as text.
  public var description: String { rawValue }
}

extension Identifier: Codable {
  /// Reads a single text.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }
  /// Writes a single text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
