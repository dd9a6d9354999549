import Glibc

/// Where to listen and how.
package struct HTTPServerConfiguration: Sendable {
  /// An IPv4 or IPv6 address, brackets allowed, or a host name.
  package var host: String
  /// The TCP port; 0 picks a free one.
  package var port: UInt16
  /// What a peer may send, and how long it may take.
  package var limits: HTTPServerLimits
  /// The certificate to speak TLS with; nil for plain HTTP.
  package var tls: TLSFiles?
  /// How many event loops run, each on a thread of its own.
  package var loops: Int

  /// A configuration; by default one loop for every core.
  package init(
    host: String, port: UInt16, limits: HTTPServerLimits = HTTPServerLimits(), tls: TLSFiles? = nil,
    loops: Int = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  ) {
    self.host = host
    self.port = port
    self.limits = limits
    self.tls = tls
    self.loops = max(1, loops)
  }
}

/// PEM files for TLS.
package struct TLSFiles: Sendable {
  /// The path of the certificate, followed in the same file by its intermediates.
  package var certificate: String
  /// The path of the certificate's private key, without a passphrase.
  package var key: String

  /// A pair of paths.
  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}
