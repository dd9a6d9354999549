import HTTP
import Primitives
import Synchronization

/// An HTTP/1.1 server: listens, and has a ``Responder`` answer what comes.
///
/// Each of its event loops has a thread and is the executor of the responders it starts, so one that
/// never waits is answered without leaving the thread. A response of status 0 resets the connection.
package final class HTTPServer: Sendable {
  /// The address that it listens on, with the port it got.
  package let address: (host: String, port: UInt16)
  private let loops: [EventLoop]
  private let certificates: TLSContextHolder?
  private let hasRun = Atomic<Bool>(false)

  /// Binds and listens; those who connect wait until ``run()``. `failure` gives the response to a request
  /// that cannot be read (400, 408, 413, 414, 417, 431, 501, 505), by its status and id.
  ///
  /// - Throws: ``HTTPServerError`` when the address or the certificate cannot be used.
  package init(
    configuration: HTTPServerConfiguration, responder: any Responder, log: Log,
    failure: @escaping @Sendable (_ status: Int, _ requestID: String) -> HTTPResponse
  ) throws(HTTPServerError) {
    certificates = if let files = configuration.tls { try TLSContextHolder(files: files) } else { nil }
    let admission = Admission(limit: configuration.limits.connections ?? Admission.defaultLimit)
    var loops: [EventLoop] = []
    for _ in 0..<configuration.loops {
      loops.append(
        try EventLoop(
          configuration: configuration, responder: responder, log: log, admission: admission,
          certificates: certificates, failure: failure))
    }
    self.loops = loops
    let listener = try Listener(host: configuration.host, port: configuration.port)
    address = (listener.address.host, listener.address.port)
    let acceptor = Acceptor(listener: listener, loops: loops, admission: admission, log: log)
    for loop in loops { loop.acceptingLoop = loops[0] }
    loops[0].acceptor = acceptor
  }

  deinit {
    for loop in loops { loop.release() }
  }

  /// Serves until ``shutdown()`` and what it waits for; to be called once. The loops have threads of
  /// their own, so this only waits.
  package func run() async {
    precondition(!hasRun.exchange(true, ordering: .relaxed), "an HTTPServer runs once")
    await withCheckedContinuation { continuation in
      let left = Countdown(from: loops.count) { continuation.resume() }
      for (index, loop) in loops.enumerated() {
        LoopThread.start(name: "http-\(index)") {
          loop.run()
          left.countDown()
        }
      }
    }
  }

  /// Accepts no more, closes idle connections, lets requests in flight finish for the drain time, then
  /// cuts. From any thread, before ``run()`` too; repeating it changes nothing.
  package func shutdown() { loops[0].post(.drain) }

  /// Reads the certificate files again, for new connections; does nothing without TLS.
  ///
  /// - Throws: ``HTTPServerError/unusableCertificate(path:reason:)``; then the old ones stay in use.
  package func reloadTLS() throws(HTTPServerError) { try certificates?.reload() }
}

/// Calls back when as many threads have come by.
private final class Countdown: Sendable {
  private let left: Atomic<Int>
  private let done: @Sendable () -> Void

  init(from count: Int, done: @escaping @Sendable () -> Void) {
    left = Atomic(count)
    self.done = done
  }

  func countDown() {
    if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done() }
  }
}
