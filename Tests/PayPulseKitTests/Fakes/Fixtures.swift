import Cryptography
import HTTP
import PayPulseKit
import Primitives

enum Fixture {
  static let clientID = "123-abc.apps.googleusercontent.com"

  static func server(_ text: String = "https://paypulse.example") throws -> ServerAddress {
    try ServerAddress(text)
  }

  /// A JWT with this payload, unsigned: the kit reads it and leaves checking to the server.
  static func jwt(_ claims: JSONValue) -> String {
    "e30." + Base64URL.encode(claims.serialized) + ".c2ln"
  }

  static func session(_ user: String = "user_1", token: String = "a", server: ServerAddress? = nil) throws
    -> Session
  {
    let claims: JSONValue = [
      "user_id": .string(user), "email": "jane@example.com", "exp": 1_800_086_400, "jti": .string(token),
    ]
    let session = Session(
      server: try server ?? Self.server(), username: "Jane", token: Secret(jwt(claims)))
    guard let session else { throw Unexpected() }
    return session
  }

  struct Unexpected: Error {}

  static let sha256: SHA256 = { Digest.sha256($0) }

  /// Bytes that differ from call to call, yet are the same in every run.
  static func random() -> RandomSource {
    let counter = ManualClock()
    return RandomSource { count in
      counter.advance(.microseconds(1))
      let seed = UInt64(bitPattern: counter.now.microseconds)
      return Array(Digest.sha256(Array("\(seed)".utf8)).prefix(count))
    }
  }
}
