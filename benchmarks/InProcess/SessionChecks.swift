import Cryptography
import Primitives

/// Checks of a session token: what every authenticated request begins with.
struct SessionChecks {
  private static let key = Secret(Base64URL.encode(RandomSource.system.bytes(32)))

  func perSecond() throws -> Double {
    let signer = SessionTokenSigner(secret: Self.key)
    let now = TimeSource.system.now()
    let token = signer.issue(
      userID: "user_" + RandomSource.system.uuid(), email: "ada@example.com", issuedAt: now,
      jwtID: RandomSource.system.token128()
    ).expose()
    return try Throughput().perSecond { _ = try signer.verify(token, now: now) }
  }

  /// The HMAC in it alone, over as many bytes.
  static func hmacPerSecond() -> Double {
    let function = HMACSHA256(key: Array(key.expose().utf8))
    let message = RandomSource.system.bytes(250)
    let tag = function.authenticate(message)
    return Throughput().perSecond { precondition(function.isValid(tag, for: message)) }
  }
}
