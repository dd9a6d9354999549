import CLinux
import Glibc

/// A connection that was accepted and belongs to no loop yet.
struct AcceptedConnection: Sendable {
  let descriptor: Int32
  /// The peer's address as text.
  let peer: String
}

/// A listening socket.
struct Listener: ~Copyable {
  /// What an attempt to accept brought.
  enum Outcome {
    /// A connection.
    case connection(AcceptedConnection)
    /// Nobody waits, or the one who did has gone.
    case none
    /// The process or the system is out of descriptors or memory.
    case exhausted(reason: String)
  }

  let descriptor: Int32
  /// The address it got.
  let address: SocketAddress

  /// Listens on the first address of `host` that can be had. Of a name's addresses IPv4 ones come first,
  /// as clients that are given 127.0.0.1 expect of `localhost`.
  init(host: String, port: UInt16) throws(HTTPServerError) {
    var reason = "no address"
    for candidate in try SocketAddress.resolve(host: host, port: port) {
      let descriptor = socket(candidate.family, Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
      guard descriptor >= 0 else {
        reason = SystemError.text(errno)
        continue
      }
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
      if candidate.withSockaddr({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 4096) == 0,
        let bound = SocketAddress(boundTo: descriptor)
      {
        self.descriptor = descriptor
        address = bound
        return
      }
      reason = SystemError.text(errno)
      close(descriptor)
    }
    throw .cannotListen(host: host, port: port, reason: reason)
  }

  deinit { close(descriptor) }

  private static var flags: Int32 { Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue) }

  /// Takes a waiting connection.
  func accept() -> Outcome {
    var peer = SocketAddress()
    let accepted = peer.fill { accept4(descriptor, $0, $1, Self.flags) }
    if accepted >= 0 { return .connection(AcceptedConnection(descriptor: accepted, peer: peer.host)) }
    switch errno {
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(reason: SystemError.text(errno))
    default: return .none
    }
  }
}
