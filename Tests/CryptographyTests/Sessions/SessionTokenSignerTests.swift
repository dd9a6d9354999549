import Cryptography
import Primitives
import Testing

@Suite("Session tokens")
struct SessionTokenSignerTests {
  private static let secret = "a-session-secret-for-the-tests-only"
  private let signer = SessionTokenSigner(secret: Secret(secret))
  private let issuedAt = Timestamp(seconds: 1_730_455_200)
  private var expiresAt: Timestamp { issuedAt + SessionTokenSigner.lifetime }

  private static let goodHeader = #"{"alg":"HS256","typ":"JWT"}"#
  private static let goodPayload =
    #"{"user_id":"u","email":"e@example.com","iat":1730455200,"exp":1730541600}"#

  /// A token with these parts, signed with the right key unless another is given.
  private static func token(
    header: String = goodHeader, payload: String = goodPayload, secret: String = secret
  ) -> String {
    let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
    let signature = HMACSHA256(key: Array(secret.utf8)).authenticate(Array(signed.utf8))
    return signed + "." + Base64URL.encode(signature)
  }

  @Test("An issued token says what it was issued for")
  func roundTrip() throws {
    let token = signer.issue(
      userID: "0b6f", email: "tö\"nant@example.com", issuedAt: issuedAt + .milliseconds(700), jwtID: "j1")
    #expect("\(token)" == "<redacted>")
    let claims = try signer.verify(token.expose(), now: issuedAt)
    #expect(
      claims
        == SessionClaims(
          userID: "0b6f", email: "tö\"nant@example.com", issuedAt: issuedAt, expiresAt: expiresAt))
  }

  @Test("An issued token carries exactly the agreed claims")
  func payload() throws {
    let token = signer.issue(userID: "0b6f", email: "e@example.com", issuedAt: issuedAt, jwtID: "j1").expose()
    let parts = token.split(separator: ".")
    let header = try #require(Base64URL.decode(parts[0]))
    #expect(String(decoding: header, as: UTF8.self) == Self.goodHeader)
    let payload = try #require(Base64URL.decode(parts[1]))
    #expect(
      String(decoding: payload, as: UTF8.self)
        == #"{"user_id":"0b6f","email":"e@example.com","iat":1730455200,"exp":1730541600,"iss":"paypulse","jti":"j1"}"#
    )
  }

  /// Made with PyJWT 2.10.1: a plain one, one with a fractional `exp` and an escaped letter, one with a
  /// `kid`.
  @Test(
    "Tokens that PyJWT made are accepted",
    arguments: [
      (
        """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2VyX2lkIjoiMGI2ZjNjMWUtdXNlciIsImVtYWlsIjoidGVuYW50QGV4YW1wbGUuY29tI\
        iwiaWF0IjoxNzMwNDU1MjAwLCJleHAiOjE3MzA1NDE2MDB9.zZ69uM8LuFxsw64Nrl8XQEDI40efpyMAlaMGfuXFwHI
        """, "tenant@example.com"
      ),
      (
        """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2VyX2lkIjoiMGI2ZjNjMWUtdXNlciIsImVtYWlsIjoidFx1MDBmNkBleGFtcGxlLmNvb\
        SIsImlhdCI6MTczMDQ1NTIwMCwiZXhwIjoxNzMwNTQxNjAwLjl9.DDXtDJIktN_xoH_5296XIrDmtskYK6Z_7lKe6MOXbY0
        """, "tö@example.com"
      ),
      (
        """
        eyJhbGciOiJIUzI1NiIsImtpZCI6IjEiLCJ0eXAiOiJKV1QifQ.eyJ1c2VyX2lkIjoiMGI2ZjNjMWUtdXNlciIsImVtYWlsIjoidGVuYW50QGV\
        4YW1wbGUuY29tIiwiaWF0IjoxNzMwNDU1MjAwLCJleHAiOjE3MzA1NDE2MDB9.2T3fX0-YZP2ka-wrI5jNZmr-uvfsrXiBQucc9-z9lLA
        """, "tenant@example.com"
      ),
    ])
  func pyJWT(token: String, email: String) throws {
    let claims = try signer.verify(token, now: issuedAt)
    #expect(
      claims
        == SessionClaims(userID: "0b6f3c1e-user", email: email, issuedAt: issuedAt, expiresAt: expiresAt))
  }

  @Test("A token is accepted until its expiry, and not at it")
  func expiry() throws {
    let token = Self.token()
    #expect(try signer.verify(token, now: expiresAt - .microseconds(1)).userID == "u")
    #expect(throws: SessionTokenError.expired) { try signer.verify(token, now: expiresAt) }
    #expect(throws: SessionTokenError.expired) { try signer.verify(token, now: expiresAt + .seconds(1)) }
  }

  @Test("A clock ahead by a minute is tolerated, by more is not", arguments: ["iat", "nbf"])
  func future(claim: String) throws {
    let payload = #"{"user_id":"u","email":"e","exp":1730541600,"\#(claim)":1730455200}"#
    let token = Self.token(payload: payload)
    #expect(try signer.verify(token, now: issuedAt - .seconds(60)).userID == "u")
    #expect(throws: SessionTokenError.malformed) {
      try signer.verify(token, now: issuedAt - .seconds(60) - .microseconds(1))
    }
  }

  @Test(
    "Each way to write the expiry is read",
    arguments: ["1730541600", "1730541600.0", "1730541600.9", "1.7305416e9", #""1730541600""#])
  func expiryForms(value: String) throws {
    let token = Self.token(payload: #"{"user_id":"u","email":"e","iat":1730455200,"exp":\#(value)}"#)
    #expect(try signer.verify(token, now: issuedAt).expiresAt == expiresAt)
  }

  @Test("Without a time of issue, it is a day before the expiry; without an e-mail, that is empty")
  func missingClaims() throws {
    let claims = try signer.verify(Self.token(payload: #"{"user_id":"u","exp":1730541600}"#), now: issuedAt)
    #expect(claims == SessionClaims(userID: "u", email: "", issuedAt: issuedAt, expiresAt: expiresAt))
  }

  @Test(
    "A payload of the wrong kind is refused, however well signed",
    arguments: [
      #"{"email":"e","iat":1730455200,"exp":1730541600}"#,
      #"{"user_id":7,"email":"e","iat":1730455200,"exp":1730541600}"#,
      #"{"user_id":null,"email":"e","iat":1730455200,"exp":1730541600}"#,
      #"{"user_id":"","email":"e","iat":1730455200,"exp":1730541600}"#,
      #"{"user_id":"u","email":7,"iat":1730455200,"exp":1730541600}"#,
      #"{"user_id":"u","email":"e","iat":1730455200}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":null}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":true}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":"soon"}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":1e300}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":[1730541600]}"#,
      #"{"user_id":"u","email":"e","iat":"now","exp":1730541600}"#,
      #"{"user_id":"u","email":"e","iat":null,"exp":1730541600}"#,
      #"{"user_id":"u","email":"e","nbf":{},"exp":1730541600}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":1730541600,"iss":"someone"}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":1730541600,"iss":null}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":1730541600,"iss":["paypulse"]}"#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":1730541600,"aud":"elsewhere"}"#,
      #"["user_id"]"#, #""user_id""#, "{}", "", "null", #"{"user_id":"u""#,
      #"{"user_id":"u","email":"e","iat":1730455200,"exp":1730541600} trailing"#,
    ])
  func refusedPayload(payload: String) {
    #expect(throws: SessionTokenError.malformed) {
      try signer.verify(Self.token(payload: payload), now: issuedAt)
    }
  }

  @Test(
    "A header other than ours is accepted when it says the same",
    arguments: [#"{"typ":"JWT","alg":"HS256"}"#, #"{ "alg" : "HS256" }"#, #"{"alg":"HS256","kid":"x"}"#])
  func otherHeader(header: String) throws {
    #expect(try signer.verify(Self.token(header: header), now: issuedAt).userID == "u")
  }

  @Test(
    "A header with another algorithm, or with demands, is refused, however well signed",
    arguments: [
      #"{"alg":"none","typ":"JWT"}"#, #"{"alg":"None"}"#, #"{"alg":"hs256"}"#, #"{"alg":"RS256"}"#,
      #"{"alg":"HS512"}"#, #"{"alg":"HS256 "}"#, #"{"alg":["HS256"]}"#, #"{"alg":null}"#, #"{"typ":"JWT"}"#,
      #"{"alg":"HS256","crit":["exp"]}"#, #"{"alg":"HS256","crit":[]}"#, #"{"alg":"HS256","crit":null}"#,
      "{}", "[]", "", "HS256", #"{"alg":"HS256""#,
    ])
  func refusedHeader(header: String) {
    #expect(throws: SessionTokenError.malformed) {
      try signer.verify(Self.token(header: header), now: issuedAt)
    }
  }

  @Test("A token signed with another key is refused, also when it is expired")
  func otherKey() {
    let token = Self.token(secret: Self.secret + "!")
    #expect(throws: SessionTokenError.malformed) { try signer.verify(token, now: issuedAt) }
    #expect(throws: SessionTokenError.malformed) { try signer.verify(token, now: expiresAt) }
  }

  @Test("No character of a token can be changed, and none left out at its end")
  func tampering() {
    let token = Array(Self.token().utf8)
    for index in token.indices {
      var changed = token
      changed[index] = token[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let text = String(decoding: changed, as: UTF8.self)
      #expect(throws: SessionTokenError.malformed) { try signer.verify(text, now: issuedAt) }
      let shorter = String(decoding: token[..<index], as: UTF8.self)
      #expect(throws: SessionTokenError.malformed) { try signer.verify(shorter, now: issuedAt) }
    }
  }

  @Test("A token of another shape is refused")
  func shapes() {
    let token = Self.token()
    let unsigned = token.split(separator: ".").prefix(2).joined(separator: ".")
    let shapes = [
      "", ".", "..", "...", "a.b.c", unsigned, unsigned + ".", token + ".", "." + token, token + "=",
      token + " ",
      " " + token, token + "\n", token + "\0", "Bearer " + token, token.replacing(".", with: ","),
      token + "." + token,
      String(repeating: "A", count: 8193), String(repeating: ".", count: 8192), "🙂.🙂.🙂",
    ]
    for shape in shapes {
      #expect(throws: SessionTokenError.malformed) { try signer.verify(shape, now: issuedAt) }
    }
  }

  @Test("The last character of a signature has only one spelling")
  func looseBits() throws {
    // 32 bytes leave two bits of the 43rd character unused; a lenient decoder would ignore them.
    let token = Self.token()
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let last = try #require(token.last.flatMap { alphabet.firstIndex(of: $0) })
    try #require(last % 4 == 0)
    for loose in 1...3 {
      let respelled = token.dropLast() + String(alphabet[last + loose])
      #expect(throws: SessionTokenError.malformed) { try signer.verify(String(respelled), now: issuedAt) }
    }
  }

  @Test("A token of 8 KiB is read, a longer one is not")
  func length() throws {
    let filler = { String(repeating: "x", count: $0) }
    let payload = { #"{"user_id":"u","exp":1730541600,"filler":"\#(filler($0))"}"# }
    let longest = (5000...6200).last { Self.token(payload: payload($0)).utf8.count <= 8192 }
    let count = try #require(longest)
    #expect(try signer.verify(Self.token(payload: payload(count)), now: issuedAt).userID == "u")
    #expect(throws: SessionTokenError.malformed) {
      try signer.verify(Self.token(payload: payload(count + 1)), now: issuedAt)
    }
  }
}
