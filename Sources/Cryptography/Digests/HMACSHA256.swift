import CLibcrypto
import Synchronization

/// HMAC with SHA-256 under one key (RFC 2104, FIPS 198-1). The key is hashed once; any number of tasks
/// may authenticate at the same time.
package struct HMACSHA256: Sendable {
  private let template: KeyedTemplate

  /// Keys the function with `key`, of any length but zero.
  package init(key: [UInt8]) { template = KeyedTemplate(key: key) }

  /// The 32 bytes that authenticate `message`.
  package func authenticate(_ message: [UInt8]) -> [UInt8] { message.withUnsafeBytes(authenticate) }

  /// Whether `tag` is the one that authenticates `message`, compared in constant time.
  package func isValid(_ tag: [UInt8], for message: [UInt8]) -> Bool {
    ConstantTime.equals(tag, authenticate(message))
  }

  /// The 32 bytes that authenticate `message`, which is read in place.
  func authenticate(_ message: UnsafeRawBufferPointer) -> [UInt8] { template.authenticate(message) }
}

/// A keyed context, and copies of it, as many as have been needed at once: making one for each call would cost
/// more than hashing a session token.
private final class KeyedTemplate: Sendable {
  private static let length = 32
  private static let mostIdle = 16
  private let template: KeyedContext
  private let idle = Mutex<[KeyedContext]>([])

  init(key: [UInt8]) {
    precondition(!key.isEmpty, "an HMAC key must not be empty")
    // The context holds a reference to the algorithm, which therefore need not be kept.
    let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
    defer { EVP_MAC_free(algorithm) }
    guard let context = EVP_MAC_CTX_new(algorithm), libcrypto_hmac_sha256_init(context, key, key.count) == 1
    else { fatalError("libcrypto offers no HMAC with SHA-256") }
    template = KeyedContext(context)
  }

  func authenticate(_ message: UnsafeRawBufferPointer) -> [UInt8] {
    let context = idle.withLock { $0.popLast() } ?? template.copy()
    defer { idle.withLock { if $0.count < Self.mostIdle { $0.append(context) } } }
    return [UInt8](unsafeUninitializedCapacity: Self.length) { output, count in
      let bytes = message.assumingMemoryBound(to: UInt8.self).baseAddress
      // Without a key, a context begins again with the one it has (EVP_MAC(3)).
      let done =
        EVP_MAC_init(context.pointer, nil, 0, nil) == 1
        && EVP_MAC_update(context.pointer, bytes, message.count) == 1
        && EVP_MAC_final(context.pointer, output.baseAddress, &count, Self.length) == 1
        && count == Self.length
      precondition(done, "libcrypto could not authenticate: out of memory")
    }
  }
}

/// Owns one context. Unchecked: it is with one caller at a time, and the template is only copied.
private final class KeyedContext: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_MAC_CTX_free(pointer) }

  func copy() -> KeyedContext {
    guard let copy = EVP_MAC_CTX_dup(pointer) else { fatalError("libcrypto could not copy: out of memory") }
    return KeyedContext(copy)
  }
}
