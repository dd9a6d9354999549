/// An e-mail address as someone typed it, and the form under which it is unique.
package struct EmailAddress: Sendable, Hashable {
  /// As typed, white space around it removed.
  package let typed: String
  /// Trimmed and case-folded: two addresses with one folded form are one account's.
  package let folded: String

  /// An address for looking an account up: anything goes.
  package init(lookingUp text: String) {
    typed = text
    folded = Self.fold(text)
  }

  /// The most bytes that a new account's address has (RFC 5321 section 4.5.3.1.3).
  static let longest = 254

  /// An address for a new account; nil when it cannot be one: `local@domain`, no white space or control
  /// characters, at most ``longest`` bytes.
  package init?(new text: String) {
    let trimmed = Self.trim(text)
    let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), trimmed.utf8.count <= Self.longest,
      !trimmed.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.isControl })
    else { return nil }
    typed = trimmed
    folded = Self.fold(trimmed)
  }

  /// Trims white space and folds case.
  package static func fold(_ text: String) -> String { trim(text).lowercased() }

  private static func trim(_ text: String) -> String {
    let kept = text.drop(while: \.isWhitespace)
    guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(kept[...last])
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character, those above ASCII included: a terminal obeys them too.
  var isControl: Bool { properties.generalCategory == .control }
}
