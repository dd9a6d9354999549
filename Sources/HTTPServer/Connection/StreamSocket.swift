import Glibc

/// What a read brought.
enum ReadOutcome: Equatable {
  /// That many bytes; `isDrained` when the kernel had no more at that moment.
  case bytes(Int, isDrained: Bool)
  /// Nothing now.
  case blocked
  /// The peer sends no more, or the connection is broken.
  case ended
}

/// What a write did.
enum WriteOutcome: Equatable {
  /// That many bytes went out.
  case bytes(Int)
  /// There is no room now.
  case blocked
  /// The connection is broken.
  case broken
}

/// A connected, non-blocking TCP socket; closed by ``close()``.
struct StreamSocket {
  let descriptor: Int32

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count, isDrained: count < buffer.count) }
      if count == 0 { return .ended }
      if errno == EAGAIN { return .blocked }
      if errno != EINTR { return .ended }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
    while true {
      let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN { return .blocked }
      if errno != EINTR { return .broken }
    }
  }

  /// Tells the peer that nothing more comes.
  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Small responses go out at once instead of waiting for an acknowledgement.
  func disableDelay() {
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Makes ``close()`` break the connection off instead of ending it.
  func resetOnClose() {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  func close() { _ = Glibc.close(descriptor) }
}
