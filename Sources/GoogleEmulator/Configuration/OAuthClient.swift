import Primitives

/// An OAuth client of the emulated Cloud project.
package struct OAuthClient: Sendable {
  /// What Google calls the application type; it decides the secret and the redirect addresses.
  package enum Kind: String, Sendable {
    /// A public client without a secret, with its reversed id as redirect scheme.
    case ios
    /// A confidential client with a secret.
    case web
    /// An installed client with a loopback redirect.
    case desktop
  }

  /// The client id, `NNN-xxxx.apps.googleusercontent.com` at Google.
  package let id: String
  /// The application type.
  package let kind: Kind
  /// The client's secret; nil when none was given.
  package let secret: Secret?

  /// A client.
  package init(id: String, kind: Kind = .ios, secret: Secret? = nil) {
    self.id = id
    self.kind = kind
    self.secret = secret
  }

  /// Reads `ID[:ios|web|desktop[:SECRET]]`; the type is `ios` when absent. Nil when it is none of these.
  package init?(flag: String) {
    let parts = flag.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard !parts[0].isEmpty, let kind = parts.count > 1 ? Kind(rawValue: String(parts[1])) : .ios else {
      return nil
    }
    let secret = parts.count > 2 ? String(parts[2]) : nil
    guard secret?.isEmpty != true, kind != .ios || secret == nil else { return nil }
    self.init(id: String(parts[0]), kind: kind, secret: secret.map { Secret($0) })
  }

  /// Whether the token endpoint answers `client_secret is missing.` without one: a web client always,
  /// a desktop client when it was given a secret, an iOS client never.
  var needsSecret: Bool { kind == .web || secret != nil }

  /// The redirect scheme of an iOS client: its id backwards (Google, OAuth 2.0 for native apps).
  var reversedScheme: String {
    let suffix = ".apps.googleusercontent.com"
    return "com.googleusercontent.apps." + (id.hasSuffix(suffix) ? String(id.dropLast(suffix.count)) : id)
  }
}
