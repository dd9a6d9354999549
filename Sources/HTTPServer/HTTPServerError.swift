import Glibc

/// Why a server cannot start, or cannot take a new certificate.
package enum HTTPServerError: Error, CustomStringConvertible {
  /// The host name has no address.
  case unknownHost(String, reason: String)
  /// The address cannot be listened on: in use, not ours, not permitted.
  case cannotListen(host: String, port: UInt16, reason: String)
  /// The certificate or key file cannot be used.
  case unusableCertificate(path: String, reason: String)
  /// The system refused a resource that the server needs.
  case system(call: StaticString, reason: String)

  /// The failure of a system call, by the current `errno`.
  static func system(_ call: StaticString) -> Self { .system(call: call, reason: SystemError.text(errno)) }

  /// One sentence for the operator.
  package var description: String {
    switch self {
    case .unknownHost(let host, let reason): "cannot find the address of \(host): \(reason)"
    case .cannotListen(let host, let port, let reason): "cannot listen on \(host) port \(port): \(reason)"
    case .unusableCertificate(let path, let reason): "cannot use \(path) for TLS: \(reason)"
    case .system(let call, let reason): "\(call) failed: \(reason)"
    }
  }
}

enum SystemError {
  /// The system's text for an error number.
  static func text(_ number: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "error \(number)" }
      return strerror_r(number, start, buffer.count) == 0 ? String(cString: start) : "error \(number)"
    }
  }
}
