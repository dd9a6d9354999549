import HTTP

/// An ``HTTPClient`` over libcurl: connections are kept and shared, HTTP/2 is spoken over TLS where the
/// server offers it, and all transfers run on one thread.
///
/// Proxies are taken from the environment (`https_proxy`, `no_proxy`, …). A request that is not idempotent
/// (RFC 9110 section 9.2.2) is sent once at most; an idempotent one is repeated on a new connection when a
/// kept one turns out to be closed. The transport writes `Content-Length`, `Transfer-Encoding` and `Expect`
/// itself.
package final class CurlHTTPClient: HTTPClient, Sendable {
  private let loop: TransferLoop

  /// What every request has in common.
  package struct Configuration: Sendable {
    /// How long connecting may take, TLS included; the request's own time limit holds too.
    package var connectTimeout: Duration = .seconds(5)
    /// How many connections to one host there may be; further requests wait for one.
    package var maximumConnectionsPerHost = 32
    /// A PEM file of certification authorities to trust instead of the system's.
    package var certificateAuthorities: String?

    /// The defaults.
    package init() {}
  }

  /// A client with its own connections and thread; end it with ``shutdown()``.
  package init(configuration: Configuration = Configuration()) {
    loop = TransferLoop(configuration)
    loop.start()
  }

  deinit { loop.stop() }

  /// The reply to `request`. A request whose address, method or fields cannot be written is `invalidURL`.
  package func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPResponse {
    guard request.isWellFormed else { throw .invalidURL }
    let transfer = Transfer(request)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.submit(transfer) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      loop.cancel(transfer)
    }
    return try result.get()
  }

  /// Ends every transfer (`connectionLost`), closes the connections and waits for the thread to end. Requests
  /// after it are `unreachable`.
  package func shutdown() async {
    await withCheckedContinuation { continuation in
      loop.stop { continuation.resume() }
    }
  }
}
