import Cryptography
import Domain
import Primitives

/// Seals what is secret in the database, each value for the one place it belongs to.
struct SealedValues: Sendable {
  private let sealer: Sealer

  init(sealer: Sealer) { self.sealer = sealer }

  /// The name under which the secret of `user` is kept.
  static func secretName(of user: UserID) -> String { "gmail/user/" + user.rawValue }

  /// Where a secret belongs: its user, its name, and the version that the record beside it names. A value that
  /// was moved to another row, or an older one put back alone, does not open.
  static func secret(of user: UserID, version: String) -> EncryptionContext {
    ["user": user.rawValue, "secret": secretName(of: user), "version": version]
  }

  /// Where a value that was set aside belongs.
  static func aside(_ id: String, of user: UserID) -> EncryptionContext {
    ["user": user.rawValue, "aside": id]
  }

  /// Where an order's token belongs: with its account and the Google that it goes to.
  static func revocation(_ id: String, of subject: GoogleSubject, at googleBaseURL: String)
    -> EncryptionContext
  {
    ["revocation": id, "google_sub": subject.rawValue, "google_base_url": googleBaseURL]
  }

  /// The tokens as the secret of `user` under `version`.
  func sealSecret(_ tokens: OAuthTokens, of user: UserID, version: String) throws -> SealedSecret {
    let value = try seal(tokens, for: Self.secret(of: user, version: version))
    return SealedSecret(tokens, value: value, version: version)
  }

  /// The secret of `user` under `version`; nil, or throws, as ``tokens(_:for:)`` says.
  func openSecret(_ value: [UInt8], of user: UserID, version: String) throws -> SealedSecret? {
    try tokens(value, for: Self.secret(of: user, version: version)).map {
      SealedSecret($0, value: value, version: version)
    }
  }

  /// The tokens as JSON, sealed.
  func seal(_ tokens: OAuthTokens, for context: EncryptionContext) throws -> [UInt8] {
    try sealer.seal(tokens.json, context: context)
  }

  /// The tokens; nil when the value does not open here, or holds no usable tokens. Throws when it cannot be
  /// told for the moment: its key is not in the key file.
  func tokens(_ sealed: [UInt8], for context: EncryptionContext) throws -> OAuthTokens? {
    guard let json = try open(sealed, for: context) else { return nil }
    return try? JSONValue(json: json)?.object.map(OAuthTokens.init(members:))
  }

  /// A single token, sealed.
  func seal(_ token: Secret, for context: EncryptionContext) throws -> [UInt8] {
    try sealer.seal(Array(token.expose().utf8), context: context)
  }

  /// The token; nil and throws as for ``tokens(_:for:)``.
  func token(_ sealed: [UInt8], for context: EncryptionContext) throws -> Secret? {
    try open(sealed, for: context).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  private func open(_ sealed: [UInt8], for context: EncryptionContext) throws(SealError) -> [UInt8]? {
    do throws(SealError) {
      return try sealer.open(sealed, context: context)
    } catch {
      if case .unknownKey = error { throw error }
      return nil
    }
  }
}
