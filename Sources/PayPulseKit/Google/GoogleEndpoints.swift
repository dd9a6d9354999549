/// Where Google's OAuth endpoints are: the real ones, or all under one base address (an emulator's).
public struct GoogleEndpoints: Sendable, Hashable {
  /// The base address, without a slash at its end; nil for the real Google.
  public let baseURL: String?
  /// Where the person consents.
  public let authorization: String
  /// Where codes and refresh tokens become access tokens.
  public let token: String

  /// The endpoints under `baseURL`; nil means the real Google.
  public init(baseURL: String? = nil) {
    guard var base = baseURL else {
      self.baseURL = nil
      authorization = "https://accounts.google.com/o/oauth2/v2/auth"
      token = "https://oauth2.googleapis.com/token"
      return
    }
    while base.hasSuffix("/") { base.removeLast() }
    self.baseURL = base
    authorization = base + "/o/oauth2/v2/auth"
    token = base + "/token"
  }

  /// Whether `issuer` may stand as `iss` in an authorization response (RFC 9207 section 2.4).
  func accepts(issuer: String) -> Bool { issuer == Self.issuer || issuer == baseURL }

  private static let issuer = "https://accounts.google.com"
}

/// The redirect that Google gives an iOS client: a scheme that is its client id reversed.
public enum ReversedClientID {
  private static let suffix = ".apps.googleusercontent.com"

  /// The scheme for `clientID`, in lower case as the SDK sends it; nil when the id holds what no scheme may.
  public static func scheme(of clientID: String) -> String? {
    let prefix = (clientID.hasSuffix(suffix) ? clientID.dropLast(suffix.count) : clientID[...]).lowercased()
    let isPlain = prefix.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".")
    }
    return isPlain && !prefix.isEmpty ? "com.googleusercontent.apps." + prefix : nil
  }

  /// The redirect address for `clientID`: one slash after the colon, as Google documents it.
  public static func redirectURI(of clientID: String) -> String? {
    scheme(of: clientID).map { $0 + ":/oauth2callback" }
  }
}
