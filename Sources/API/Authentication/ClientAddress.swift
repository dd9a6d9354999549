import Glibc
import HTTP

/// The address that a request comes from, for the limits: the peer's, or, behind proxies that are trusted, the
/// last address of `X-Forwarded-For` that is not such a proxy's.
package struct ClientAddress: Sendable {
  private let trusted: [AddressRange]

  /// Trusts the proxies in `trusted`.
  package init(trustedProxies trusted: [AddressRange]) { self.trusted = trusted }

  /// The client's address as text; `unknown` where there is no socket.
  func callAsFunction(_ request: HTTPRequest) -> String {
    let peer = request.peer ?? "unknown"
    guard isTrusted(peer) else { return peer }
    let hops = request.fields.values(of: "X-Forwarded-For").flatMap { $0.split(separator: ",") }
      .map { String($0.filter { $0 != " " }) }
    return hops.last { !isTrusted($0) } ?? hops.first ?? peer
  }

  private func isTrusted(_ address: String) -> Bool { trusted.contains { $0.contains(address) } }
}

/// A range of IP addresses in CIDR notation (RFC 4632 section 3.1, RFC 4291 section 2.3).
package struct AddressRange: Sendable {
  private let network: [UInt8]
  private let length: Int

  /// `10.0.0.0/8`, `::1/128`, or one address; nil when it is neither.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let bytes = Self.bytes(String(parts[0])) else { return nil }
    let length = parts.count == 2 ? Int(parts[1]) : bytes.count * 8
    guard let length, (0...bytes.count * 8).contains(length) else { return nil }
    self.network = bytes
    self.length = length
  }

  /// Whether `address` lies in the range.
  func contains(_ address: String) -> Bool {
    guard let bytes = Self.bytes(address), bytes.count == network.count else { return false }
    return (0..<length).allSatisfy { bit in
      let mask = UInt8(0x80) >> UInt8(bit % 8)
      return bytes[bit / 8] & mask == network[bit / 8] & mask
    }
  }

  private static func bytes(_ address: String) -> [UInt8]? {
    for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: size)
      if inet_pton(family, address, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
