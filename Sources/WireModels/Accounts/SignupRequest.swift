import Primitives

/// The body of `POST /v1/auth/signup`. Other members are ignored (old apps send `gmail_app_password`).
public struct SignupRequest: Codable, Sendable, Hashable {
  /// The address to sign in with.
  public var email: String
  /// The person's name.
  public var name: String
  /// The password in the clear.
  public var password: Secret

  private enum CodingKeys: String, CodingKey { case email, name, password }

  /// A request to sign up.
  public init(email: String, name: String, password: Secret) {
    self.email = email
    self.name = name
    self.password = password
  }

  /// Reads the three members, all required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    email = try container.decode(String.self, forKey: .email)
    name = try container.decode(String.self, forKey: .name)
    password = Secret(try container.decode(String.self, forKey: .password))
  }

  /// Writes the members, the password in the clear.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(email, forKey: .email)
    try container.encode(name, forKey: .name)
    try container.encode(password.expose(), forKey: .password)
  }
}
