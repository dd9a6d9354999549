/// The scopes of a grant: a set, sent as one text with spaces (RFC 6749 section 3.3). Order means nothing.
package struct GrantedScopes: Sendable, Hashable {
  /// The scopes, each once, in the order they came.
  package let values: [String]
  /// The scopes as one text.
  package let joined: String

  /// The scopes in `text`, separated by spaces (or commas, as one old client sends them).
  package init(_ text: String) {
    // By bytes: connections are read often, and finding characters takes many times as long.
    var text = text
    self.init(
      text.withUTF8 { bytes in
        bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
          .map { String(decoding: UnsafeBufferPointer(rebasing: $0), as: UTF8.self) }
      })
  }

  /// The given scopes, each once.
  package init(_ values: [String]) {
    var seen: Set<String> = []
    let unique = values.enumerated().filter { index, value in
      // The usual few are compared with each other; hashing them would cost more.
      guard !value.isEmpty, values.count > 8 else {
        return !value.isEmpty && !values[..<index].contains(value)
      }
      return seen.insert(value).inserted
    }.map(\.element)
    self.values = unique
    joined = unique.joined(separator: " ")
  }

  /// The scope that PayPulse asks for.
  package static let gmailReadonly = "https://www.googleapis.com/auth/gmail.readonly"

  /// Whether whole messages can be read and searched (Gmail API, "Choose scopes"). `gmail.metadata` is not enough.
  package var canReadMail: Bool {
    values.contains { scope in
      [Self.gmailReadonly, "https://www.googleapis.com/auth/gmail.modify", "https://mail.google.com/"]
        .contains(scope)
    }
  }

  /// These scopes for a reply: first those that `asked` names too, in its order, then the others, sorted.
  /// Google answers `email` and `profile` with their long names; either counts as confirmed.
  package func ordered(like asked: GrantedScopes) -> GrantedScopes {
    let granted = Set(values)
    let confirmed = asked.values.filter { granted.contains($0) || granted.contains(Self.longName(of: $0)) }
    let said = Set(confirmed + confirmed.map(Self.longName))
    return GrantedScopes(confirmed + values.filter { !said.contains($0) }.sorted())
  }

  private static func longName(of scope: String) -> String {
    scope == "email" || scope == "profile" ? "https://www.googleapis.com/auth/userinfo." + scope : scope
  }
}
