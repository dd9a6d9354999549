import Cryptography
import Primitives

/// The keys behind ID tokens. As at Google there are two, of which one signs.
package struct SigningKeys: Sendable {
  let current: RSASigningKey
  let next: RSASigningKey
  /// The keys as certificates by `kid`, Google's `/oauth2/v1/certs`.
  let certificates: JSONValue

  /// Makes two keys; `time` dates their certificates.
  package init(time: TimeSource = .system) throws(CryptographyError) {
    current = try RSASigningKey()
    next = try RSASigningKey()
    var members: [String: JSONValue] = [:]
    for key in [current, next] {
      let certificate = try key.certificatePEM(
        commonName: "federated-signon.emulator", validFrom: time.now() - .seconds(86_400),
        lifetime: .seconds(3650 * 86_400))
      members[key.keyID] = .string(certificate)
    }
    certificates = .object(members)
  }

  private var all: [RSASigningKey] { [current, next] }

  /// The keys as a JWK set (RFC 7517 section 5).
  var jwks: JSONValue {
    ["keys": .array(all.map { .object($0.jwk.mapValues { .string($0) }) })]
  }

  /// The claims of `token`, when one of these keys signed it; its times are the caller's to check.
  func verifiedClaims(of token: Secret) -> (header: JSONValue, claims: JSONValue)? {
    let parts = token.expose().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap(JSONValue.init(parsing:)),
      let claims = Base64URL.decode(parts[1]).flatMap(JSONValue.init(parsing:)),
      let signature = Base64URL.decode(parts[2]),
      header["alg"]?.string == "RS256", let key = all.first(where: { $0.keyID == header["kid"]?.string }),
      (try? key.isValid(signature, for: Array("\(parts[0]).\(parts[1])".utf8))) == true
    else { return nil }
    return (header, claims)
  }
}
