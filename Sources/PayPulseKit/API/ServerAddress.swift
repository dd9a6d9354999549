import Primitives

/// Where a PayPulse server is: scheme, host, port and perhaps a path, normalised so that one server has one form.
///
/// Passwords and tokens travel to it, so plain `http` is taken only for the machine itself, unless told otherwise.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// The address without a slash at its end, scheme and host in lower case, no default port.
  public let description: String
  /// Whether the host is the machine itself.
  public let isLoopback: Bool

  /// Why an address is not taken.
  public enum Invalid: Error, Sendable, Hashable {
    /// Not an absolute `http` or `https` address of a plain host: a user, query or fragment does not belong there.
    case malformed
    /// Plain `http` to another machine, which anybody on the way could read.
    case insecure
  }

  /// Reads `text`.
  ///
  /// - Parameters:
  ///   - text: such as `https://paypulse.example` or `http://127.0.0.1:8080`.
  ///   - allowingPlainHTTP: take `http` for another machine too.
  public init(_ text: String, allowingPlainHTTP: Bool = false) throws(Invalid) {
    guard text.utf8.count <= 200, text.isVisibleASCII,
      let separator = text.firstRange(of: "://")
    else { throw .malformed }
    let scheme = text[..<separator.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { throw .malformed }
    let rest = text[separator.upperBound...]
    guard !rest.contains(where: { "?#@\\".contains($0) }) else { throw .malformed }
    let authority = rest.prefix { $0 != "/" }
    guard let (host, port) = Self.hostAndPort(authority.lowercased()) else { throw .malformed }
    isLoopback = Self.isLoopback(host)
    guard scheme == "https" || isLoopback || allowingPlainHTTP else { throw .insecure }
    var path = String(rest.dropFirst(authority.count))
    while path.hasSuffix("/") { path.removeLast() }
    let usual = scheme == "https" ? 443 : 80
    description = scheme + "://" + host + (port.flatMap { $0 == usual ? nil : ":\($0)" } ?? "") + path
  }

  private static func hostAndPort(_ authority: String) -> (host: String, port: Int?)? {
    var host = Substring(authority)
    var port: Int?
    let hostEnd = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority.lastIndex(of: ":"), colon >= hostEnd {
      host = authority[..<colon]
      port = Int(authority[authority.index(after: colon)...])
      guard let port, (1...65535).contains(port) else { return nil }
    }
    let bracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.count > 2
    guard bracketed || !host.isEmpty && !host.contains(where: { "[]:".contains($0) }) else { return nil }
    return (String(host), port)
  }

  /// RFC 6761 section 6.3, RFC 1122 section 3.2.1.3 (127/8), RFC 4291 section 2.5.3.
  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets.allSatisfy { UInt8($0) != nil } && octets[0] == "127"
  }
}
