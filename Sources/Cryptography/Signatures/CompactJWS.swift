import Primitives

/// JSON Web Signatures in compact form (RFC 7515 section 7.1).
package enum CompactJWS {
  /// `claims`, a JSON object, signed by `key`: a JWT whose header names `RS256` and the key (RFC 7519).
  package static func signRS256(claims: [UInt8], with key: RSASigningKey) throws(CryptographyError) -> String
  {
    var header = JSONText()
    header.object {
      $0.key("alg")
      $0.value("RS256")
      $0.key("kid")
      $0.value(key.keyID)
      $0.key("typ")
      $0.value("JWT")
    }
    let signed = Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims)
    return signed + "." + Base64URL.encode(try key.signRS256(Array(signed.utf8)))
  }
}
