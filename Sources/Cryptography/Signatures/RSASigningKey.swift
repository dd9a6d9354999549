import CLibcrypto
import Primitives

/// An RSA key of 2048 bits that signs as RS256 (RFC 7518 section 3.3).
///
/// Unchecked: the key is never changed, and libcrypto lets threads share such a key.
package final class RSASigningKey: @unchecked Sendable {
  let pointer: OpaquePointer
  private let modulus: String
  private let exponent: String

  /// The key's identifier, the `kid` of what it signs: its thumbprint (RFC 7638).
  package let keyID: String

  /// Makes a new key. Takes some tens of milliseconds.
  package init() throws(CryptographyError) {
    guard let key = libcrypto_rsa_generate(2048) else { throw .failed("RSA key generation") }
    pointer = key
    do {
      modulus = try Self.member(OSSL_PKEY_PARAM_RSA_N, of: key)
      exponent = try Self.member(OSSL_PKEY_PARAM_RSA_E, of: key)
    } catch {
      EVP_PKEY_free(key)
      throw error
    }
    let canonical = #"{"e":"\#(exponent)","kty":"RSA","n":"\#(modulus)"}"#
    keyID = Base64URL.encode(Digest.sha256(canonical.utf8))
  }

  deinit { EVP_PKEY_free(pointer) }

  /// The public key as the members of a JWK (RFC 7517 section 4, RFC 7518 section 6.3.1).
  package var jwk: [String: String] {
    ["kty": "RSA", "alg": "RS256", "use": "sig", "kid": keyID, "n": modulus, "e": exponent]
  }

  /// The 256 bytes of the RSASSA-PKCS1-v1_5 signature with SHA-256 over `message`.
  package func signRS256(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    guard context != nil, EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, pointer, nil) == 1
    else { throw .failed("RS256 signing") }
    var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(pointer)))
    var length = signature.count
    guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1
    else { throw .failed("RS256 signing") }
    return Array(signature.prefix(length))
  }

  /// Whether `signature` is this key's RS256 signature over `message`.
  package func isValid(_ signature: [UInt8], for message: [UInt8]) throws(CryptographyError) -> Bool {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    guard context != nil, EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, pointer, nil) == 1
    else { throw .failed("RS256 verification") }
    let valid = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    if !valid { ERR_clear_error() }
    return valid
  }

  /// One number of the public key as base64url of its big-endian bytes, without leading zeros.
  private static func member(_ name: String, of key: OpaquePointer) throws(CryptographyError) -> String {
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else { throw .failed("reading an RSA key") }
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
    guard BN_bn2bin(number, &bytes) == Int32(bytes.count) else { throw .failed("reading an RSA key") }
    return Base64URL.encode(bytes)
  }
}
