import Primitives

/// The wrapping keys of a key file: the last is used for new values, all of them open old ones.
package struct KeyRing: Sendable {
  /// Why a key file cannot be used. Tells no part of a key.
  package enum ParseError: Error, Sendable, Hashable {
    /// There is no key in it.
    case empty
    /// The line with this number, counted from 1, is no key of 256 bits.
    case invalidLine(Int)
  }

  /// The key for new values.
  package let current: WrappingKey
  private let keys: [WrappingKeyID: WrappingKey]

  /// A ring of one key.
  package init(_ key: WrappingKey) {
    current = key
    keys = [key.id: key]
  }

  /// The keys of a key file's content: one a line, oldest first, each as hexadecimal, base64 or
  /// base64url; or nothing but the 32 bytes of one key.
  package init(file content: [UInt8]) throws(ParseError) {
    let parsed = try Self.parse(content)
    guard let last = parsed.last else { throw .empty }
    current = last
    keys = Dictionary(parsed.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The key with this identifier, if it is on the ring.
  package subscript(id: WrappingKeyID) -> WrappingKey? { keys[id] }

  private static func parse(_ content: [UInt8]) throws(ParseError) -> [WrappingKey] {
    if let key = WrappingKey(content) { return [key] }
    var keys: [WrappingKey] = []
    let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      let trimmed = text.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
      guard !trimmed.isEmpty else { continue }
      guard text[trimmed.endIndex...].allSatisfy(\.isWhitespace), let key = WrappingKey(encoded: trimmed)
      else { throw .invalidLine(index + 1) }
      keys.append(key)
    }
    return keys
  }
}
