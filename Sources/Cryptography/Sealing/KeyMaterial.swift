import CLibcrypto
import Primitives

/// 256 bits of key in memory of their own, which is overwritten when the last holder lets go.
///
/// Unchecked: the bytes are written only while it is made.
final class KeyMaterial: @unchecked Sendable {
  static let length = 32
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)

  /// A key whose bytes `fill` writes.
  init<Failure: Error>(_ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    try fill(bytes)
  }

  deinit {
    OPENSSL_cleanse(bytes.baseAddress, bytes.count)
    bytes.deallocate()
  }

  /// The bytes themselves, valid within `body` only.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(bytes))
  }
}
