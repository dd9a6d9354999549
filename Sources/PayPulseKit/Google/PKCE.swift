import Primitives

/// SHA-256, given from outside: the kit carries no cryptography of its own.
public typealias SHA256 = @Sendable (_ bytes: [UInt8]) -> [UInt8]

/// Proof Key for Code Exchange with S256 (RFC 7636): only who asked can redeem the code.
public struct PKCE: Sendable, Hashable {
  /// The secret that redeems the code.
  public let verifier: Secret
  /// What is shown of it beforehand: base64url of its SHA-256.
  public let challenge: String

  /// The pair of a given verifier.
  public init(verifier: Secret, sha256: SHA256) {
    self.verifier = verifier
    challenge = Base64URL.encode(sha256(Array(verifier.expose().utf8)))
  }

  /// A fresh pair: 256 random bits, which make a verifier of 43 characters (RFC 7636 section 4.1).
  public init(random: RandomSource, sha256: SHA256) {
    self.init(verifier: Secret(Base64URL.encode(random.bytes(32))), sha256: sha256)
  }
}
