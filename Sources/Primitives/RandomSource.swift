#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where unpredictable bytes come from, given by `init` so that a test can fix them.
public struct RandomSource: Sendable {
  private let fill: @Sendable (Int) -> [UInt8]

  /// A source of the caller's own: `fill(n)` gives n bytes.
  public init(fill: @escaping @Sendable (Int) -> [UInt8]) { self.fill = fill }

  /// `count` unpredictable bytes.
  public func bytes(_ count: Int) -> [UInt8] { fill(count) }

  /// 128 random bits as base64url (22 characters).
  public func token128() -> String { Base64URL.encode(bytes(16)) }

  /// A version 4 UUID in lower case (RFC 9562 section 5.4).
  public func uuid() -> String {
    var octets = bytes(16)
    octets[6] = octets[6] & 0x0F | 0x40
    octets[8] = octets[8] & 0x3F | 0x80
    let hex = octets.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    return [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10..<16]].map { $0.joined() }
      .joined(separator: "-")
  }

  /// A number from 0 up to, not including, 1: for jitter.
  public func unit() -> Double {
    let bits = bytes(7).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 3
    return Double(bits) / Double(UInt64(1) << 53)
  }

  /// The operating system's generator (`getentropy`, `arc4random_buf`).
  public static let system = RandomSource { count in
    [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
      fillFromSystem(UnsafeMutableRawBufferPointer(bytes))
      initialized = count
    }
  }

  /// Fills `bytes` from the operating system's generator.
  package static func fillFromSystem(_ bytes: UnsafeMutableRawBufferPointer) {
    #if canImport(Darwin)
      arc4random_buf(bytes.baseAddress, bytes.count)
    #else
      // It gives 256 bytes at a time at most, and fails only when asked for more.
      for start in stride(from: 0, to: bytes.count, by: 256) {
        let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<min(start + 256, bytes.count)])
        guard let address = piece.baseAddress, getentropy(address, piece.count) == 0 else {
          fatalError("getentropy failed: \(errno)")
        }
      }
    #endif
  }
}
