import Cryptography
import Primitives

/// A PKCE challenge (RFC 7636).
struct CodeChallenge: Sendable {
  /// How a verifier becomes the challenge.
  enum Method: String, Sendable {
    case plain
    case s256 = "S256"
  }

  let method: Method
  let value: String

  /// Nil when the method is unknown or no verifier could ever give this value (RFC 7636 section 4.2).
  /// A missing method means `plain`.
  init?(value: String, method name: String?) {
    guard let method = Method(rawValue: name ?? "plain") else { return nil }
    switch method {
    case .s256: guard Base64URL.decode(value)?.count == 32 else { return nil }
    case .plain: guard Self.isVerifier(value) else { return nil }
    }
    self.method = method
    self.value = value
  }

  /// Whether `verifier` is well formed and belongs to this challenge.
  func accepts(_ verifier: String) -> Bool {
    guard Self.isVerifier(verifier) else { return false }
    return switch method {
    case .plain: verifier == value
    case .s256: Base64URL.encode(Digest.sha256(Array(verifier.utf8))) == value
    }
  }

  /// 43 to 128 unreserved characters (RFC 7636 section 4.1).
  static func isVerifier(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "~"):
          true
        default: false
        }
      }
  }
}
