/// Something to say, without its text: a key of the string catalogue, and what stands in its places.
public struct Message: Sendable, Hashable {
  /// What is said.
  public let key: MessageKey
  /// What is filled in, in the order of ``MessageKey/argumentNames``. May be empty texts.
  public let arguments: [String]

  /// What `key` says of `arguments`.
  public init(_ key: MessageKey, _ arguments: String...) {
    assert(arguments.count == key.argumentNames.count, "\(key) takes \(key.argumentNames)")
    self.key = key
    self.arguments = arguments
  }
}
