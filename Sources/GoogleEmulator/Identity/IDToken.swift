import Cryptography
import Primitives

/// Makes ID tokens (OpenID Connect Core section 2, with Google's claims).
struct IDTokenFactory: Sendable {
  /// Google's issuer, whatever address the emulator listens on: Google's libraries accept no other.
  static let issuer = "https://accounts.google.com"
  private static let lifetime: Int64 = 3600

  let keys: SigningKeys

  /// The ID token that goes with `tokens`.
  func token(
    for account: Account, with tokens: IssuedTokens, picture: String, at now: Timestamp
  ) throws(CryptographyError) -> String {
    var claims = AccountClaims(account: account, scopes: tokens.scopes, picture: picture).openID
    claims["iss"] = .string(Self.issuer)
    claims["aud"] = .string(tokens.clientID)
    claims["azp"] = .string(tokens.clientID)
    claims["iat"] = .integer(now.seconds)
    claims["exp"] = .integer(now.seconds + Self.lifetime)
    let digest = Digest.sha256(Array(tokens.accessToken.expose().utf8))
    claims["at_hash"] = .string(Base64URL.encode(Array(digest.prefix(16))))
    claims["nonce"] = tokens.nonce.map { .string($0) }
    return try CompactJWS.signRS256(claims: JSONValue.object(claims).serialized, with: keys.current)
  }
}

/// What the granted scopes let a client know about an account. What is not allowed or not known is absent.
struct AccountClaims: Sendable {
  let account: Account
  let scopes: ScopeList
  let picture: String

  private var seesEmail: Bool { scopes.contains(ScopeCatalogue.email) }
  private var seesProfile: Bool { scopes.contains(ScopeCatalogue.profile) }

  /// The keys of OpenID Connect: ID tokens, userinfo v3.
  var openID: [String: JSONValue] {
    var claims = common
    claims["sub"] = .string(account.sub)
    if seesEmail { claims["email_verified"] = .bool(account.emailVerified) }
    return claims
  }

  /// The keys of userinfo v1 and v2.
  var legacy: [String: JSONValue] {
    var claims = common
    claims["id"] = .string(account.sub)
    if seesEmail { claims["verified_email"] = .bool(account.emailVerified) }
    return claims
  }

  private var common: [String: JSONValue] {
    var claims: [String: JSONValue] = [:]
    claims["hd"] = account.hostedDomain.map { .string($0) }
    if seesEmail { claims["email"] = .string(account.email) }
    if seesProfile {
      claims["name"] = .string(account.name)
      claims["given_name"] = .string(account.givenName)
      claims["family_name"] = account.familyName.map { .string($0) }
      claims["picture"] = .string(picture)
    }
    return claims
  }
}
