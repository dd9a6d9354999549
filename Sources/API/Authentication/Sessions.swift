import Cryptography
import Domain
import HTTP
import Primitives

/// Makes session tokens and finds out who sends one.
package struct Sessions: Sendable {
  private let signer: SessionTokenSigner
  private let users: any UserStore
  private let time: TimeSource
  private let random: RandomSource

  /// Sessions signed by `signer`, of the users in `users`.
  package init(signer: SessionTokenSigner, users: any UserStore, time: TimeSource, random: RandomSource) {
    self.signer = signer
    self.users = users
    self.time = time
    self.random = random
  }

  /// A new session's token for `user`, who was let in at `moment`: the time before the password was looked at.
  /// A password that is changed while the old one is being checked ends this session too.
  func begin(for user: User, at moment: Timestamp) -> Secret {
    signer.issue(
      userID: user.id.rawValue, email: user.email, issuedAt: user.sessionStart(at: moment),
      jwtID: random.token128())
  }

  /// Whose session a request says it is made in.
  struct Claim {
    let user: UserID
    let issuedAt: Timestamp
  }

  /// What the request's token claims. It is genuine and has not ended by itself; whether its user still is
  /// one, and accepts it, is the store's to say.
  func claim(of request: HTTPRequest) throws(ErrorResponse) -> Claim {
    let token = try Self.bearerToken(of: request)
    do throws(SessionTokenError) {
      let claims = try signer.verify(token, now: time.now())
      return Claim(user: UserID(claims.userID), issuedAt: claims.issuedAt)
    } catch {
      switch error {
      case .malformed: throw .malformedToken
      case .expired: throw .expiredToken
      }
    }
  }

  /// The user whose session the request is made in.
  func user(of request: HTTPRequest) async throws(ErrorResponse) -> User {
    let claim = try claim(of: request)
    let user: User?
    do throws(StoreError) { user = try await users.user(claim.user) } catch {
      throw ErrorResponse(error, during: "user retrieval")
    }
    guard let user, user.accepts(sessionIssuedAt: claim.issuedAt) else { throw .endedSession }
    return user
  }

  /// The token of `Authorization: Bearer …` (RFC 6750 section 2.1); the scheme in any case (RFC 9110 section 11.1).
  private static func bearerToken(of request: HTTPRequest) throws(ErrorResponse) -> String {
    var authorization: String?
    for field in request.fields where field.name.equalsIgnoringASCIICase("Authorization") {
      guard authorization == nil else { throw .malformedToken }
      authorization = field.value
    }
    // Bytes, not characters: finding those would cost as much as checking the signature.
    guard let value = authorization, let space = value.utf8.firstIndex(of: UInt8(ascii: " ")),
      String(value[..<space]).equalsIgnoringASCIICase("Bearer")
    else { throw .missingCredentials }
    return String(value[value.utf8.index(after: space)...])
  }
}
