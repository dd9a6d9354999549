/// What a peer may send, and how long it may take. Over a limit is a 4xx or a close, never growth.
package struct HTTPServerLimits: Sendable {
  /// Bytes from the request line to the empty line that ends the head (431).
  package var headerBytes = 16 * 1024
  /// Bytes of the request target (414).
  package var targetBytes = 8 * 1024
  /// Bytes of the decoded body (413).
  package var bodyBytes = 64 * 1024
  /// Field lines in the head, and again in a chunked body's trailers (431).
  package var fieldLines = 100
  /// From a request's first byte to its last, however slowly they come (408). With TLS the first one
  /// counts from the connection's beginning, so the handshake is in it.
  package var requestTime = Duration.seconds(10)
  /// Between two requests, and before the first: then the connection is closed.
  package var idleTime = Duration.seconds(60)
  /// How long a peer may take to accept the response.
  package var responseTime = Duration.seconds(20)
  /// How long what a peer still sends is read and dropped after the last response, so that no reset
  /// destroys the response on its way (RFC 9112 section 9.6).
  package var lingerTime = Duration.seconds(1)
  /// How long ``HTTPServer/shutdown()`` waits for requests in flight.
  package var drainTime = Duration.seconds(20)
  /// Connections open at once; more wait in the kernel's queue. Nil: 10,000, or what the process's
  /// descriptors allow.
  package var connections: Int?

  /// The defaults.
  package init() {}
}
