import Primitives

/// The scopes of a grant: a set, sent as one text with spaces (RFC 6749 section 3.3). Order means nothing.
package struct GrantedScopes: Sendable, Hashable {
  /// The scopes as one text, each once, in the order they came.
  package let joined: String

  /// The scopes in `text`, separated by spaces (or commas, as one old client sends them).
  package init(_ text: String) {
    // By bytes: connections are read often, and finding characters takes many times as long.
    joined =
      text.withContiguousUTF8 { bytes in
        let parts = Self.split(bytes)
        let unique = Self.unique(parts)
        let separators = max(0, unique.count - 1)
        let isTidy =
          unique.reduce(separators) { $0 + $1.count } == bytes.count && !bytes.contains(UInt8(ascii: ","))
        return isTidy ? nil : unique.map(Self.string).joined(separator: " ")
      } ?? text
  }

  /// The given scopes, each once.
  package init(_ values: [String]) { self.init(values.joined(separator: " ")) }

  /// The scopes, each once, in the order they came.
  package var values: [String] {
    joined.withContiguousUTF8 { Self.split($0).map(Self.string) }
  }

  /// The scope that PayPulse asks for.
  package static let gmailReadonly = "https://www.googleapis.com/auth/gmail.readonly"

  /// Whether whole messages can be read and searched (Gmail API, "Choose scopes"). `gmail.metadata` is not enough.
  package var canReadMail: Bool {
    contains(Self.gmailReadonly) || contains("https://www.googleapis.com/auth/gmail.modify")
      || contains("https://mail.google.com/")
  }

  /// These scopes for a reply: first those that `asked` names too, in its order, then the others, sorted.
  /// Google answers `email` and `profile` with their long names; either counts as confirmed.
  package func ordered(like asked: GrantedScopes) -> GrantedScopes {
    // Nearly always just that is granted which was asked for.
    guard !isSameSet(as: asked) else { return asked }
    let granted = values
    let confirmed = asked.values.filter { granted.contains($0) || granted.contains(Self.longName(of: $0)) }
    let said = confirmed + confirmed.map(Self.longName)
    return GrantedScopes(confirmed + granted.filter { !said.contains($0) }.sorted())
  }

  private static func longName(of scope: String) -> String {
    scope == "email" || scope == "profile" ? "https://www.googleapis.com/auth/userinfo." + scope : scope
  }

  // MARK: Bytes

  private typealias Part = UnsafeBufferPointer<UInt8>

  private func isSameSet(as other: GrantedScopes) -> Bool {
    // In each a scope stands once: of two that are as long, neither has more.
    joined.utf8.count == other.joined.utf8.count
      && joined.withContiguousUTF8 { bytes in
        other.joined.withContiguousUTF8 { other in
          let parts = Self.split(bytes)
          return Self.split(other).allSatisfy { part in parts.contains { Self.areEqual($0, part) } }
        }
      }
  }

  private func contains(_ scope: String) -> Bool {
    joined.withContiguousUTF8 { bytes in
      scope.withContiguousUTF8 { scope in Self.split(bytes).contains { Self.areEqual($0, scope) } }
    }
  }

  private static func split(_ bytes: UnsafeBufferPointer<UInt8>) -> [Part] {
    var parts: [Part] = []
    parts.reserveCapacity(8)
    var start = 0
    for end in 0...bytes.count {
      let isInside = end < bytes.count && bytes[end] != UInt8(ascii: " ") && bytes[end] != UInt8(ascii: ",")
      if isInside { continue }
      if end > start { parts.append(Part(rebasing: bytes[start..<end])) }
      start = end + 1
    }
    return parts
  }

  private static func unique(_ parts: [Part]) -> [Part] {
    // The usual few are compared with each other; hashing them would cost more.
    guard parts.count <= 8 else {
      var seen: Set<String> = []
      return parts.filter { seen.insert(string($0)).inserted }
    }
    var unique: [Part] = []
    unique.reserveCapacity(parts.count)
    for part in parts where !unique.contains(where: { areEqual($0, part) }) { unique.append(part) }
    return unique
  }

  private static func areEqual(_ one: Part, _ other: Part) -> Bool {
    guard one.count == other.count else { return false }
    for index in one.indices where one[index] != other[index] { return false }
    return true
  }

  private static func string(_ part: Part) -> String { String(decoding: part, as: UTF8.self) }
}
