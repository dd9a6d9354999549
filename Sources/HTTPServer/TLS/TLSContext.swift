import CLibssl
import Synchronization

/// A certificate with its key, ready for any number of sessions. TLS 1.2 and 1.3, ALPN `http/1.1`.
final class TLSContext: @unchecked Sendable {
  // Unchecked: OpenSSL counts and locks what sessions share of a context, and nothing here changes it
  // after `init`.
  let handle: OpaquePointer

  init(files: TLSFiles) throws(HTTPServerError) {
    ERR_clear_error()
    guard let handle = SSL_CTX_new(TLS_server_method()) else {
      throw .system(call: "SSL_CTX_new", reason: Self.reason())
    }
    self.handle = handle
    guard paypulse_ssl_ctx_require_tls12(handle) == 1 else {
      throw .system(call: "SSL_CTX_set_min_proto_version", reason: Self.reason())
    }
    paypulse_ssl_ctx_configure(handle)
    // Without this, a key with a passphrase would make OpenSSL ask for it on the terminal.
    SSL_CTX_set_default_passwd_cb(handle) { _, _, _, _ in 0 }
    SSL_CTX_set_alpn_select_cb(
      handle,
      { _, chosen, length, offered, count, _ in
        TLSContext.selectProtocol(chosen, length, offered, count)
      }, nil)
    guard SSL_CTX_use_certificate_chain_file(handle, files.certificate) == 1 else {
      throw .unusableCertificate(path: files.certificate, reason: Self.reason())
    }
    guard SSL_CTX_use_PrivateKey_file(handle, files.key, SSL_FILETYPE_PEM) == 1,
      SSL_CTX_check_private_key(handle) == 1
    else { throw .unusableCertificate(path: files.key, reason: Self.reason()) }
  }

  deinit { SSL_CTX_free(handle) }

  /// `http/1.1` out of the client's list; a list without it ends the handshake (RFC 7301 section 3.2).
  private static func selectProtocol(
    _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ count: UInt32
  ) -> Int32 {
    guard let chosen, let length, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let wanted = Array("http/1.1".utf8)
    var index = 0
    while index < Int(count) {
      let size = Int(offered[index])
      guard index + 1 + size <= Int(count) else { break }
      if UnsafeBufferPointer(start: offered + index + 1, count: size).elementsEqual(wanted) {
        chosen.pointee = offered + index + 1
        length.pointee = UInt8(size)
        return SSL_TLSEXT_ERR_OK
      }
      index += 1 + size
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }

  /// What OpenSSL says of the last failure.
  private static func reason() -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let text = ERR_reason_error_string(code) else { return "not readable" }
    return String(cString: text)
  }
}

/// The context that new connections get. The running ones keep theirs.
final class TLSContextHolder: Sendable {
  private let files: TLSFiles
  private let context: Mutex<TLSContext>

  init(files: TLSFiles) throws(HTTPServerError) {
    self.files = files
    context = Mutex(try TLSContext(files: files))
  }

  /// What a new connection gets.
  var current: TLSContext { context.withLock { $0 } }

  /// Reads the files again; when they cannot be used, the old ones stay in use.
  func reload() throws(HTTPServerError) {
    let fresh = try TLSContext(files: files)
    context.withLock { $0 = fresh }
  }
}
