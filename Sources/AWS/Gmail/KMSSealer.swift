import Cryptography
import Domain
import Primitives

/// What a sealed value belongs to: for KMS, which logs it, and for the cipher.
struct SealingContext: Sendable {
  let logged: [String: String]
  let authenticated: EncryptionContext

  /// The secret of `user`, at one version. A value that was moved to another user, or an older one put back alone,
  /// does not open.
  static func secret(of user: UserID, version: String) -> SealingContext {
    let name = SecretsManagerPlace.name(of: user)
    return SealingContext(
      logged: ["user": user.rawValue, "secret": name, "version": version],
      authenticated: ["user": user.rawValue, "secret": name, "version": version])
  }

  /// The token of a revocation owed, with its account and the Google that it goes to.
  static func revocation(_ id: String, of subject: GoogleSubject, at googleBaseURL: String) -> SealingContext
  {
    SealingContext(
      logged: ["revocation": id],
      authenticated: ["revocation": id, "google_sub": subject.rawValue, "google_base_url": googleBaseURL])
  }
}

/// Seals values under data keys of their own, which KMS wraps.
///
/// | bytes | what |
/// |---|---|
/// | 1 | format version, 1 |
/// | 2 | length of the wrapped key |
/// | n | the data key as KMS wrapped it |
/// | rest | what `Sealer` made of the value under it |
struct KMSSealer: Sendable {
  let kms: KMS
  /// The KMS key's id, ARN or alias.
  let key: String
  let failure: StoreFailure

  private static let format: UInt8 = 1
  private static let head = 3

  /// `plaintext` sealed for `context`.
  func seal(_ plaintext: [UInt8], for context: SealingContext) async throws(StoreError) -> [UInt8] {
    let pair = try await failure.run("making a data key") { () async throws(AWSError) in
      try await kms.generateDataKey(key, context: context.logged)
    }
    guard let dataKey = WrappingKey(pair.key.expose()), pair.wrapped.count <= Int(UInt16.max),
      let sealed = try? Sealer(keys: KeyRing(dataKey)).seal(plaintext, context: context.authenticated)
    else { throw .unavailable }
    let length = UInt16(pair.wrapped.count)
    return [Self.format, UInt8(length >> 8), UInt8(length & 0xff)] + pair.wrapped + sealed
  }

  /// The content of `sealed`; nil when it does not open for `context`. Fails when that cannot be told for the
  /// moment, as when KMS gives no answer, or the key is switched off.
  func open(_ sealed: [UInt8], for context: SealingContext) async throws(StoreError) -> [UInt8]? {
    guard sealed.count > Self.head, sealed[0] == Self.format else { return nil }
    let end = Self.head + Int(sealed[1]) << 8 + Int(sealed[2])
    guard end < sealed.count else { return nil }
    guard
      let dataKey = try await unwrap(Array(sealed[Self.head..<end]), for: context).flatMap({
        WrappingKey($0.expose())
      })
    else { return nil }
    do throws(SealError) {
      return try Sealer(keys: KeyRing(dataKey)).open(Array(sealed[end...]), context: context.authenticated)
    } catch {
      return nil
    }
  }

  private func unwrap(_ wrapped: [UInt8], for context: SealingContext) async throws(StoreError)
    -> PlainDataKey?
  {
    do throws(AWSError) {
      return try await kms.decrypt(wrapped, context: context.logged)
    } catch {
      // Tampered with, or of another context (AWS KMS API Reference, `Decrypt`).
      if error.failure?.code == "InvalidCiphertextException" { return nil }
      throw failure.error(error, in: "unwrapping a data key")
    }
  }
}
