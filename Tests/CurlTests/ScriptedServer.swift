import Glibc
import Synchronization

/// A TCP server on a port of its own whose every connection does what a script says, so that a test can make
/// it misbehave. It ends with the object.
final class ScriptedServer: Sendable {
  /// The port on 127.0.0.1.
  let port: UInt16
  private let listener: Int32
  private let ledger = Ledger()

  init(_ script: @escaping @Sendable (ScriptedConnection) -> Void) {
    (listener, port) = Self.listen()
    spawnThread { [listener, ledger] in
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        ledger.opened(descriptor)
        spawnThread {
          script(ScriptedConnection(descriptor: descriptor, record: ledger.record))
          ledger.close(descriptor)
        }
      }
      close(listener)
    }
  }

  deinit {
    // Wakes every thread that waits on a socket.
    shutdown(listener, Int32(SHUT_RDWR))
    ledger.shutDown()
  }

  /// How many connections were accepted so far.
  var connectionCount: Int { ledger.contents.accepted }
  /// The requests read so far, on all connections.
  var requests: [ScriptedRequest] { ledger.contents.requests }
  /// The address of `path` here.
  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  private static func listen() -> (Int32, UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 128) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    precondition(isBound, "no port to listen on")
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}

/// What happened at a server, and the connections that are open.
private final class Ledger: Sendable {
  struct Contents: Sendable {
    var accepted = 0
    var requests: [ScriptedRequest] = []
    var open: Set<Int32> = []
    var isShutDown = false
  }

  private let state = Mutex(Contents())

  var contents: Contents { state.withLock { $0 } }

  func record(_ request: ScriptedRequest) { state.withLock { $0.requests.append(request) } }

  func opened(_ descriptor: Int32) {
    state.withLock { contents in
      contents.accepted += 1
      contents.open.insert(descriptor)
      if contents.isShutDown { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  func close(_ descriptor: Int32) {
    state.withLock { contents in
      contents.open.remove(descriptor)
      _ = Glibc.close(descriptor)
    }
  }

  func shutDown() {
    state.withLock { contents in
      contents.isShutDown = true
      for descriptor in contents.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }
}

/// A request as it came over the wire.
struct ScriptedRequest: Sendable {
  /// The request line and the field lines.
  let lines: [String]
  let body: [UInt8]

  /// The values of a field, whose name is written in lower case here.
  func values(of name: String) -> [String] {
    lines.dropFirst().filter { $0.lowercased().hasPrefix(name + ":") }
      .map { String($0.dropFirst(name.utf8.count + 1).drop { $0 == " " }) }
  }
}

/// Does `work` on a thread of its own.
func spawnThread(_ work: @escaping @Sendable () -> Void) {
  final class Box {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    { context in
      context.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue() }?.work()
      return nil
    }, Unmanaged.passRetained(Box(work)).toOpaque())
  precondition(status == 0, "no thread")
  pthread_detach(thread)
}
