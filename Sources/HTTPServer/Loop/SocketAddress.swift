import Glibc

/// An IPv4 or IPv6 address with a port.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// An unspecified address.
  init() {}

  /// The address that a socket is bound to.
  init?(boundTo descriptor: Int32) {
    guard fill({ getsockname(descriptor, $0, $1) }) == 0 else { return nil }
  }

  private init(_ info: addrinfo) {
    length = info.ai_addrlen
    withUnsafeMutableBytes(of: &storage) { target in
      target.copyMemory(from: UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
    }
  }

  /// Every address of `host`, IPv4 first.
  static func resolve(host: String, port: UInt16) throws(HTTPServerError) -> [SocketAddress] {
    let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(name, String(port), &hints, &list)
    guard result == 0 else { throw .unknownHost(host, reason: String(cString: gai_strerror(result))) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var entry = list
    while let info = entry?.pointee {
      addresses.append(SocketAddress(info))
      entry = info.ai_next
    }
    return addresses.filter { $0.family == AF_INET } + addresses.filter { $0.family != AF_INET }
  }

  /// `AF_INET` or `AF_INET6`.
  var family: Int32 { Int32(storage.ss_family) }

  /// The port.
  var port: UInt16 {
    // Both families have it in the same place.
    withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
  }

  /// The address as text. An IPv4 peer of an IPv6 socket is written as what it is.
  var host: String {
    withUnsafeBytes(of: storage) { bytes in
      guard family == AF_INET6 else { return Self.text(AF_INET, bytes[4..<8]) }
      let isMapped = bytes[8..<18].allSatisfy { $0 == 0 } && bytes[18] == 0xFF && bytes[19] == 0xFF
      return isMapped ? Self.text(AF_INET, bytes[20..<24]) : Self.text(AF_INET6, bytes[8..<24])
    }
  }

  /// Gives the address to a system call; gives the call's result.
  func withSockaddr(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
    }
  }

  /// Has a system call write an address here; gives the call's result.
  mutating func fill(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32)
    -> Int32
  {
    withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
  }

  private static func text(_ family: Int32, _ address: Slice<UnsafeRawBufferPointer>) -> String {
    let address = UnsafeRawBufferPointer(rebasing: address)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      guard let start = text.baseAddress,
        inet_ntop(family, address.baseAddress, start, socklen_t(text.count)) != nil
      else { return "" }
      return String(cString: start)
    }
  }
}
