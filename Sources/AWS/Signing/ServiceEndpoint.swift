import Primitives

/// Where a service listens.
package struct ServiceEndpoint: Sendable, Hashable {
  /// Scheme and authority, as in `https://dynamodb.eu-north-1.amazonaws.com`.
  package let origin: String
  /// What the `Host` field says: the authority without the scheme's own port (RFC 9110 section 7.2).
  package let host: String
  /// The path under which the service is, without a `/` at its end; empty but for an endpoint of one's own.
  package let pathPrefix: String

  /// An endpoint by its address; nil unless that is `http` or `https`, a host, and at most a port and a path.
  package init?(url: String) {
    let isSecure = url.hasPrefix("https://")
    guard isSecure || url.hasPrefix("http://") else { return nil }
    let rest = url.dropFirst(isSecure ? 8 : 7)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    guard !authority.isEmpty, url.isVisibleASCII,
      !rest.contains(where: { "?#@\\%".contains($0) })
    else { return nil }
    origin = (isSecure ? "https://" : "http://") + authority
    let ownPort = isSecure ? ":443" : ":80"
    host = String(authority.hasSuffix(ownPort) ? authority.dropLast(ownPort.count) : authority)
    pathPrefix = String(path.reversed().drop { $0 == "/" }.reversed())
  }
}
