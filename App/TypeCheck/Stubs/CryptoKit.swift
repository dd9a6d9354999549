// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations of CryptoKit: only what the adapters use. Written from
// https://developer.apple.com/documentation/cryptokit/sha256.
import Foundation

public struct SHA256 {
  public static func hash(data: some DataProtocol) -> SHA256Digest { fatalError() }
}

public struct SHA256Digest: Sequence {
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}
