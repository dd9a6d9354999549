import Primitives
import Synchronization

/// Session tokens whose signature was found right, so that a client that asks often costs one HMAC in all. Only our
/// own tokens get in, so nobody can fill it with others.
final class VerifiedTokens: Sendable {
  /// What a token says.
  struct Content {
    let claims: SessionClaims
    /// The later of `iat` and `nbf`.
    let validFrom: Timestamp
  }

  private let contents: Mutex<RecentValues<Secret, Content>>

  /// Remembers up to `capacity` tokens.
  init(capacity: Int) { contents = Mutex(RecentValues(capacity: capacity)) }

  /// What `token` says, if it is known. It is found by a hash whose key is random, so the time that takes says nothing
  /// about other tokens.
  subscript(token: String) -> Content? { contents.withLock { $0[Secret(token)] } }

  /// Remembers what `token` says.
  func remember(_ content: Content, of token: String) { contents.withLock { $0[Secret(token)] = content } }
}
