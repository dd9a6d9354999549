import Cryptography
import Primitives

/// A Google account that can sign in.
package struct Account: Sendable, Hashable {
  /// The address, as it was given.
  package let email: String
  /// The full name.
  package let name: String
  /// Google's name for the account: digits, never reused. Opaque to everyone else.
  package let sub: String
  /// Whether Google vouches for the address.
  package let emailVerified: Bool
  /// The Workspace domain; nil for a private account.
  package let hostedDomain: String?

  /// An account. Without a `sub` it gets 21 digits made from its address, the same in every run.
  package init(
    email: String, name: String? = nil, sub: String? = nil, emailVerified: Bool = true,
    hostedDomain: String? = nil
  ) {
    self.email = email
    self.name = name.flatMap { $0.isEmpty ? nil : $0 } ?? String(email.prefix { $0 != "@" })
    self.sub = sub ?? Self.derivedSub(email.lowercased())
    self.emailVerified = emailVerified
    self.hostedDomain = hostedDomain
  }

  /// Reads `EMAIL[=NAME]`; nil unless the address has a name, an `@` and a domain.
  package init?(flag: String) {
    let parts = flag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard Self.isAddress(String(parts[0])) else { return nil }
    self.init(email: String(parts[0]), name: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Whether `text` looks like one mail address.
  static func isAddress(_ text: String) -> Bool {
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy {
        $0 > 0x20 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") && $0 != 0x7F
      }
  }

  /// The first word of the name.
  var givenName: String { String(name.prefix { $0 != " " }) }

  /// What follows the first word of the name; nil when there is nothing.
  var familyName: String? {
    let rest = name.dropFirst(givenName.count).drop { $0 == " " }
    return rest.isEmpty ? nil : String(rest)
  }

  private static func derivedSub(_ key: String) -> String {
    let digits = Digest.sha256(Array(key.utf8)).prefix(20).map { String($0 % 10) }
    return "1" + digits.joined()
  }
}
