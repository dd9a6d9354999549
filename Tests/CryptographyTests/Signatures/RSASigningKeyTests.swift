import Cryptography
import Primitives
import Testing

@Suite("RS256 signing")
struct RSASigningKeyTests {
  private let key: RSASigningKey
  init() throws { key = try RSASigningKey() }

  @Test("A signature holds for its message alone, and for its key alone")
  func signature() throws {
    let message = Array("header.payload".utf8)
    let signature = try key.signRS256(message)
    #expect(signature.count == 256)
    #expect(try key.isValid(signature, for: message))
    #expect(try !key.isValid(signature, for: message + [0]))
    #expect(try !key.isValid([], for: message))
    #expect(try !RSASigningKey().isValid(signature, for: message))
    // PKCS #1 v1.5 is deterministic.
    #expect(try key.signRS256(message) == signature)
  }

  @Test("The JWK names the key by its thumbprint")
  func jwk() throws {
    let jwk = key.jwk
    #expect(Set(jwk.keys) == ["kty", "alg", "use", "kid", "n", "e"])
    #expect(jwk["kty"] == "RSA" && jwk["alg"] == "RS256" && jwk["use"] == "sig")
    #expect(jwk["e"] == "AQAB")
    let modulus = try #require(jwk["n"].flatMap { Base64URL.decode($0) })
    #expect(modulus.count == 256 && modulus[0] >= 0x80)
    let canonical = #"{"e":"AQAB","kty":"RSA","n":"\#(Base64URL.encode(modulus))"}"#
    #expect(jwk["kid"] == key.keyID)
    #expect(key.keyID == Base64URL.encode(Digest.sha256(canonical.utf8)))
  }

  @Test("A compact JWS carries its header, its claims and a signature over both")
  func compact() throws {
    let claims = Array(#"{"sub":"110"}"#.utf8)
    let parts = try CompactJWS.signRS256(claims: claims, with: key).split(separator: ".")
    try #require(parts.count == 3)
    let header = try #require(Base64URL.decode(parts[0]))
    #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"RS256","kid":"\#(key.keyID)","typ":"JWT"}"#)
    #expect(Base64URL.decode(parts[1]) == claims)
    let signature = try #require(Base64URL.decode(parts[2]))
    #expect(try key.isValid(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
  }

  @Test("PEM forms are labelled, and the certificate holds the public key")
  func pem() throws {
    let publicKey = try key.publicKeyPEM()
    #expect(
      publicKey.hasPrefix("-----BEGIN PUBLIC KEY-----\n") && publicKey.hasSuffix("-----END PUBLIC KEY-----\n")
    )
    let certificate = try key.certificatePEM(
      commonName: "accounts.example", validFrom: Timestamp(seconds: 1_700_000_000), lifetime: .seconds(86_400)
    )
    #expect(certificate.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    let der = try decode(pem: certificate)
    #expect(try contains(der, decode(pem: publicKey)))
    #expect(contains(der, Array("accounts.example".utf8)))
    #expect(contains(der, Array("231114221320Z".utf8)) && contains(der, Array("231115221320Z".utf8)))
  }

  private func decode(pem: String) throws -> [UInt8] {
    let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
    let unpadded = body.prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
    return try #require(Base64URL.decode(String(unpadded)))
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }
}
