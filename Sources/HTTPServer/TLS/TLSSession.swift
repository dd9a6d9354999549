import CLibssl

/// The TLS of one connection, over its non-blocking socket. Belongs to the connection's thread, whose
/// SIGPIPE is blocked: OpenSSL writes without `MSG_NOSIGNAL`.
final class TLSSession {
  /// How far the handshake came.
  enum Handshake {
    /// Data can flow.
    case done
    /// The peer must send or take more first.
    case blocked
    /// There is no agreement.
    case failed
  }

  private let handle: OpaquePointer
  /// After a fatal error OpenSSL wants no more calls, not even for the goodbye.
  private var isUsable = false

  /// Nil when there is no memory.
  init?(context: TLSContext, descriptor: Int32) {
    guard let handle = SSL_new(context.handle) else { return nil }
    self.handle = handle
    guard SSL_set_fd(handle, descriptor) == 1 else { return nil }
    SSL_set_accept_state(handle)
  }

  deinit { SSL_free(handle) }

  /// Goes on with the handshake.
  func handshake() -> Handshake {
    ERR_clear_error()
    let result = SSL_do_handshake(handle)
    if result == 1 {
      isUsable = true
      return .done
    }
    return isBlocked(result) ? .blocked : .failed
  }

  /// Reads at most one record. There may be more in memory that epoll knows nothing of, so it is never
  /// drained before it says `blocked`.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    ERR_clear_error()
    let count = SSL_read(handle, buffer.baseAddress, Int32(clamping: buffer.count))
    if count > 0 { return .bytes(Int(count), isDrained: false) }
    return isBlocked(count) ? .blocked : .ended
  }

  /// Writes at most one record.
  func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    ERR_clear_error()
    let count = SSL_write(handle, bytes.baseAddress, Int32(clamping: bytes.count))
    if count > 0 { return .bytes(Int(count)) }
    return isBlocked(count) ? .blocked : .broken
  }

  /// Says goodbye, once and without waiting for the peer's, so that it can tell the end from a cut.
  func finish() {
    guard isUsable else { return }
    isUsable = false
    ERR_clear_error()
    SSL_shutdown(handle)
  }

  private func isBlocked(_ result: Int32) -> Bool {
    switch SSL_get_error(handle, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return true
    case SSL_ERROR_ZERO_RETURN: return false
    default:
      isUsable = false
      return false
    }
  }
}
