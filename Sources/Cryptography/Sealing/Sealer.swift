import Primitives
import Synchronization

/// Seals values for storage: each under a data key of its own, which is wrapped by the key file's current
/// key and overwritten after use. A value opens only with the context it was sealed with.
package final class Sealer: Sendable {
  private let keys: Mutex<KeyRing>
  private let reload: @Sendable () -> KeyRing?
  private let cipher = AES256GCM()

  /// Seals under `keys.current`. `reload` reads the key file again: it is called once for each value whose
  /// key is not on the ring, and what it returns, unless nil, replaces the ring.
  package init(keys: KeyRing, reload: @escaping @Sendable () -> KeyRing? = { nil }) {
    self.keys = Mutex(keys)
    self.reload = reload
  }

  /// `plaintext` sealed for `context`: 97 bytes longer, and another value each time.
  package func seal(_ plaintext: [UInt8], context: EncryptionContext) throws(CryptographyError) -> [UInt8] {
    let key = keys.withLock { $0.current }
    var sealed = [UInt8](repeating: 0, count: plaintext.count + Envelope.overhead)
    sealed[0] = Envelope.version
    sealed.replaceSubrange(Envelope.keyID, with: key.id.bytes)
    let isSealed = sealed.withUnsafeMutableBytes { output in
      // Both nonces in one draw, and between them the data key, whose place it takes when it is wrapped.
      RandomSource.fillFromSystem(UnsafeMutableRawBufferPointer(rebasing: output[Envelope.drawn]))
      let dataKey = KeyMaterial {
        $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[Envelope.dataKey]))
      }
      return dataKey.withBytes { encrypt(.dataKey, $0, under: key.material, key.id, context, into: output) }
        && plaintext.withUnsafeBytes { encrypt(.content, $0, under: dataKey, key.id, context, into: output) }
    }
    guard isSealed else { throw .failed("sealing") }
    return sealed
  }

  /// The content of `sealed`, provided that it was sealed for `context`.
  package func open(_ sealed: [UInt8], context: EncryptionContext) throws(SealError) -> [UInt8] {
    guard sealed.count >= Envelope.overhead, sealed[0] == Envelope.version else { throw .malformed }
    let id = WrappingKeyID(bytes: sealed[Envelope.keyID])
    guard let key = key(id) else { throw .unknownKey(id) }
    let dataKey = try KeyMaterial { (output) throws(SealError) in
      guard decrypt(.dataKey, of: sealed, under: key.material, id, context, into: output)
      else { throw .notAuthentic }
    }
    var plaintext = [UInt8](repeating: 0, count: sealed.count - Envelope.overhead)
    let isAuthentic = plaintext.withUnsafeMutableBytes {
      decrypt(.content, of: sealed, under: dataKey, id, context, into: $0)
    }
    guard isAuthentic else { throw .notAuthentic }
    return plaintext
  }

  /// The key from the ring, or else from the key file as it is now, which is read outside the lock.
  private func key(_ id: WrappingKeyID) -> WrappingKey? {
    if let key = keys.withLock({ $0[id] }) { return key }
    guard let fresh = reload() else { return nil }
    keys.withLock { $0 = fresh }
    return fresh[id]
  }

  private func encrypt(
    _ part: Envelope.Part, _ plaintext: UnsafeRawBufferPointer, under key: KeyMaterial, _ id: WrappingKeyID,
    _ context: EncryptionContext, into sealed: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let nonce = UnsafeRawBufferPointer(rebasing: sealed[part.nonce])
    let ciphertext = part.ciphertext(ofPlaintext: plaintext.count)
    return cipher.encrypt(
      plaintext, key: key, nonce: nonce, authenticated: part.authenticated(id, context),
      into: UnsafeMutableRawBufferPointer(rebasing: sealed[ciphertext]))
  }

  private func decrypt(
    _ part: Envelope.Part, of sealed: [UInt8], under key: KeyMaterial, _ id: WrappingKeyID,
    _ context: EncryptionContext, into plaintext: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let ciphertext = part.ciphertext(ofPlaintext: plaintext.count)
    return sealed.withUnsafeBytes { bytes in
      cipher.decrypt(
        UnsafeRawBufferPointer(rebasing: bytes[ciphertext]), key: key,
        nonce: UnsafeRawBufferPointer(rebasing: bytes[part.nonce]),
        authenticated: part.authenticated(id, context), into: plaintext)
    }
  }
}
