import Primitives

/// Issues and verifies session tokens: JWTs under HMAC with SHA-256 (`HS256`; RFC 7519, RFC 7515), and no
/// other algorithm.
package struct SessionTokenSigner: Sendable {
  /// How long a token is accepted.
  package static let lifetime: Duration = .seconds(86_400)

  private static let issuer = "paypulse"
  private static let maximumLength = 8192
  private static let dot = UInt8(ascii: ".")
  /// How far another machine's clock may be ahead.
  private static let clockSkew: Duration = .seconds(60)
  /// `{"alg":"HS256","typ":"JWT"}` in base64url: the header of every token we issue.
  private static let header = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
  private static let headerBytes = Array(header.utf8)

  private let function: HMACSHA256
  private let verified = VerifiedTokens(capacity: 4096)

  /// Signs and verifies with the UTF-8 bytes of `secret`, which must not be empty.
  package init(secret: Secret) { function = HMACSHA256(key: Array(secret.expose().utf8)) }

  /// A new token, valid for ``lifetime`` from `issuedAt` (rounded down to the second). `jwtID` must be
  /// unique.
  package func issue(userID: String, email: String, issuedAt: Timestamp, jwtID: String) -> Secret {
    var claims = JSONText()
    claims.object {
      $0.key("user_id")
      $0.value(userID)
      $0.key("email")
      $0.value(email)
      $0.key("iat")
      $0.value(issuedAt.seconds)
      $0.key("exp")
      $0.value((issuedAt + Self.lifetime).seconds)
      $0.key("iss")
      $0.value(Self.issuer)
      $0.key("jti")
      $0.value(jwtID)
    }
    let signed = Self.header + "." + Base64URL.encode(claims.bytes)
    return Secret(signed + "." + Base64URL.encode(function.authenticate(Array(signed.utf8))))
  }

  /// What `token` says, if we signed it and it is valid at `now`.
  ///
  /// Tokens of the first backend, which carry neither `iss` nor `jti`, are accepted. A wrong token that is
  /// expired as well is `malformed`.
  package func verify(_ token: String, now: Timestamp) throws(SessionTokenError) -> SessionClaims {
    let content = try content(of: token)
    guard content.validFrom <= now + Self.clockSkew else { throw .malformed }
    guard now < content.claims.expiresAt else { throw .expired }
    return content.claims
  }

  /// What `token` says at whatever time, if we signed it. A token that was found ours before is known again by all
  /// of its bytes; only its time is looked at each time.
  private func content(of token: String) throws(SessionTokenError) -> VerifiedTokens.Content {
    if let known = verified[token] { return known }
    guard let payload = authenticatedPayload(of: token), let claims = ClaimSet(json: payload),
      case .string(let userID)? = claims["user_id"], !userID.isEmpty,
      let email = Self.email(in: claims), let expiresAt = try claims.numericDate("exp"),
      Self.isForUs(claims)
    else { throw .malformed }
    let issuedAt = try claims.numericDate("iat") ?? expiresAt - Self.lifetime
    let content = VerifiedTokens.Content(
      claims: SessionClaims(userID: userID, email: email, issuedAt: issuedAt, expiresAt: expiresAt),
      validFrom: max(issuedAt, try claims.numericDate("nbf") ?? issuedAt))
    verified.remember(content, of: token)
    return content
  }

  /// The payload's bytes, once the header and the signature over both are found right.
  private func authenticatedPayload(of token: String) -> [UInt8]? {
    guard token.utf8.count <= Self.maximumLength else { return nil }
    return token.withContiguousUTF8 { bytes in
      // A further dot is no character of a signature.
      guard let first = bytes.firstIndex(of: Self.dot),
        let second = bytes[(first + 1)...].firstIndex(of: Self.dot),
        Self.isAcceptable(header: bytes[..<first]),
        let signature = Base64URL.decode(bytes[(second + 1)...]),
        ConstantTime.equals(
          signature,
          function.authenticate(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<second]))))
      else { return nil }
      return Base64URL.decode(bytes[(first + 1)..<second])
    }
  }

  /// Whether the header names our algorithm and demands nothing that we do not do (RFC 7515 section 4.1.11).
  private static func isAcceptable(header: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    if header.elementsEqual(headerBytes) { return true }
    guard let json = Base64URL.decode(header), let members = ClaimSet(json: json) else { return false }
    return members["alg"] == .string("HS256") && members["crit"] == nil
  }

  /// The e-mail, empty when there is none; nil when it is no text.
  private static func email(in claims: ClaimSet) -> String? {
    guard let email = claims["email"] else { return "" }
    return email.string
  }

  /// Whether the token is ours and meant for no one else: a token with an audience must be refused by
  /// whoever is not named by it (RFC 7519 section 4.1.3), and we go by no such name.
  private static func isForUs(_ claims: ClaimSet) -> Bool {
    let issuer = claims["iss"]
    return (issuer == nil || issuer == .string(Self.issuer)) && (claims["aud"] ?? .null) == .null
  }
}
