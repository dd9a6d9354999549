import Primitives

/// A redirect address, taken apart as far as the rules per client type need.
struct RedirectURI {
  let text: String
  let scheme: String
  private let rest: Substring

  /// Nil when it has no scheme, has a fragment (RFC 6749 section 3.1.2) or holds blanks or control characters.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex, !text.contains("#"),
      text.isVisibleASCII, !text.utf8.contains(UInt8(ascii: "\""))
    else { return nil }
    self.text = text
    scheme = text[..<colon].lowercased()
    rest = text[text.index(after: colon)...]
  }

  /// The host of `scheme://host:port/...`, lower case; nil without an authority or with user information.
  private var host: String? {
    guard rest.hasPrefix("//") else { return nil }
    let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else { return nil }
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]"), Self.isPort(authority[authority.index(after: end)...])
      else { return nil }
      return String(authority[...end])
    }
    let name = authority.prefix { $0 != ":" }
    guard !name.isEmpty, Self.isPort(authority[name.endIndex...]) else { return nil }
    return name.lowercased()
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty
      || text.first == ":" && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber } && text.count <= 6
  }

  private var isLoopback: Bool {
    scheme == "http" && host.map { ["127.0.0.1", "localhost", "[::1]"].contains($0) } ?? false
  }

  /// Whether Google would let `client` use this address.
  func fits(_ client: OAuthClient) -> Bool {
    switch client.kind {
    case .ios: scheme == client.reversedScheme.lowercased() && (rest.isEmpty || rest.hasPrefix("/"))
    case .desktop: isLoopback
    case .web: isLoopback || scheme == "https" && host != nil
    }
  }

  /// The address with `parameters` added to its query.
  func adding(_ encodedQuery: String) -> String {
    text + (rest.contains("?") ? (text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&") : "?") + encodedQuery
  }
}
