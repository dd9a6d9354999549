import Primitives

/// The body of `POST /v1/auth/login`.
public struct LoginRequest: Codable, Sendable, Hashable {
  /// The account's address.
  public var email: String
  /// The password in the clear.
  public var password: Secret

  private enum CodingKeys: String, CodingKey { case email, password }

  /// A request to sign in.
  public init(email: String, password: Secret) {
    self.email = email
    self.password = password
  }

  /// Reads the two members, both required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    email = try container.decode(String.self, forKey: .email)
    password = Secret(try container.decode(String.self, forKey: .password))
  }

  /// Writes the members, the password in the clear.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(email, forKey: .email)
    try container.encode(password.expose(), forKey: .password)
  }
}
