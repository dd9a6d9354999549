import CLibcrypto
import Primitives

/// The public key in PEM, bare or in a certificate.
extension RSASigningKey {
  /// The public key as `-----BEGIN PUBLIC KEY-----` (RFC 7468 section 13).
  package func publicKeyPEM() throws(CryptographyError) -> String {
    try pem("writing a public key") { PEM_write_bio_PUBKEY($0, pointer) }
  }

  /// A self-signed certificate of the public key (RFC 5280), as `-----BEGIN CERTIFICATE-----`: the form
  /// of Google's `/oauth2/v1/certs`. It is valid for `lifetime` from `start`.
  package func certificatePEM(
    commonName: String, validFrom start: Timestamp, lifetime: Duration
  ) throws(CryptographyError) -> String {
    let certificate = X509_new()
    defer { X509_free(certificate) }
    guard let certificate, fill(certificate, commonName, start, start + lifetime),
      X509_sign(certificate, pointer, EVP_sha256()) > 0
    else { throw .failed("signing a certificate") }
    return try pem("writing a certificate") { PEM_write_bio_X509($0, certificate) }
  }

  private func fill(_ certificate: OpaquePointer, _ name: String, _ start: Timestamp, _ end: Timestamp)
    -> Bool
  {
    let versionThree = 2
    // The name belongs to the certificate; as issuer it is copied.
    let subject = X509_get_subject_name(certificate)
    return X509_set_version(certificate, versionThree) == 1
      && ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1
      && ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(start.seconds)) != nil
      && ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(end.seconds)) != nil
      && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1
      && X509_set_issuer_name(certificate, subject) == 1
      && X509_set_pubkey(certificate, pointer) == 1
  }

  /// What `write` puts into a memory BIO.
  private func pem(
    _ operation: StaticString, _ write: (OpaquePointer) -> Int32
  ) throws(CryptographyError) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw .failed(operation) }
    defer { BIO_free(bio) }
    var bytes: UnsafeMutablePointer<CChar>?
    guard write(bio) == 1, case let length = libcrypto_bio_bytes(bio, &bytes), length > 0, let bytes
    else { throw .failed(operation) }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
  }
}
