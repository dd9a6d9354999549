import Domain
import Glibc
import Primitives

/// A user's secret as it is stored, and what is in it. An object, since it is handed on often.
final class SealedSecret: Sendable {
  /// What it is sealed under, and the record names.
  let version: String
  /// What is stored.
  let value: [UInt8]
  /// What is in it.
  let content: StoredSecret

  init(_ tokens: OAuthTokens, value: [UInt8], version: String) {
    self.version = version
    self.value = value
    content = .tokens(tokens, grantID: tokens.grantID ?? GrantID(version))
  }

  /// Whether it is stored as `other` under `version`, byte for byte. By `memcmp`: one by one the bytes would take many
  /// times as long.
  func isStored(as other: [UInt8], version: String) -> Bool {
    self.version == version && value.count == other.count && memcmp(value, other, other.count) == 0
  }
}
