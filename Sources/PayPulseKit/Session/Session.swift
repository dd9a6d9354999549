import Primitives
import WireModels

/// What a ``UserID`` identifies.
public enum User {}

/// A user's id at one server.
public typealias UserID = Identifier<User>

/// A signed-in user at one server.
public struct Session: Sendable, Hashable {
  /// The server that gave the session.
  public let server: ServerAddress
  /// The user, read from the token's payload. The signature is the server's to check: the device only needs to
  /// know whom its own records belong to.
  public let userID: UserID
  /// The account's address, where the token names it.
  public let email: String?
  /// The person's name.
  public let username: String
  /// The session token (a JWT).
  public let token: Secret
  /// When the token ends (`exp`), where it says so.
  public let expiresAt: Timestamp?

  /// The session in a reply; nil when its token is no JWT with a `user_id`.
  public init?(server: ServerAddress, data: SessionData) {
    self.init(server: server, username: data.username, token: data.accessToken)
  }

  /// The session of `token`; nil when that is no JWT with a `user_id`.
  public init?(server: ServerAddress, username: String, token: Secret) {
    guard let claims = JWTPayload.claims(of: token), let userID = claims["user_id"]?.string, !userID.isEmpty
    else { return nil }
    self.server = server
    self.userID = UserID(userID)
    email = claims["email"]?.string
    self.username = username
    self.token = token
    expiresAt = claims["exp"]?.integer.map { Timestamp(seconds: $0) }
  }

  /// Whether the token has ended by `moment`, as far as the device can know.
  public func hasEnded(by moment: Timestamp) -> Bool { expiresAt.map { $0 <= moment } ?? false }
}

extension Session {
  /// The session for a file or the Keychain, its token in the clear.
  var stored: JSONValue {
    [
      "server": .string(server.description), "user_id": .string(userID.rawValue),
      "username": .string(username),
      "access_token": .string(token.expose()),
    ]
  }

  /// What ``stored`` gave; nil when it is something else. Its server was accepted when the session was made.
  init?(stored: JSONValue) {
    guard let address = stored["server"]?.string, let username = stored["username"]?.string,
      let token = stored["access_token"]?.string,
      let server = try? ServerAddress(address, allowingPlainHTTP: true)
    else { return nil }
    self.init(server: server, username: username, token: Secret(token))
  }
}

/// Reads the payload of a JWT without checking anything about it (RFC 7519 section 7.2, steps 1 to 6 and 10).
enum JWTPayload {
  /// The claims; nil when `token` is no JWT in compact form.
  static func claims(of token: Secret) -> JSONValue? {
    let parts = token.expose().split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
      let claims = JSONCoding.decode(JSONValue.self, from: payload), claims.object != nil
    else { return nil }
    return claims
  }
}
