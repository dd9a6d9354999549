import Primitives

/// `data` of `DELETE /v1/auth/gmail-tokens`.
public struct GmailDisconnectData: Codable, Sendable, Hashable {
  /// What became of the grant at Google.
  public var revoked: Revocation

  private enum CodingKeys: String, CodingKey { case revoked }

  /// The result of a disconnect.
  public init(revoked: Revocation) { self.revoked = revoked }

  /// What became of a grant at Google: `true`, `false` or `"pending"` on the wire.
  public enum Revocation: Codable, Sendable, Hashable {
    /// Google has withdrawn it.
    case revoked
    /// There was nothing to withdraw, or another account here still uses it.
    case notRevoked
    /// Google cannot be reached now; the server tries again.
    case pending

    /// Reads a boolean; any text means that it is not settled yet.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let done = try? container.decode(Bool.self) {
        self = done ? .revoked : .notRevoked
      } else {
        _ = try container.decode(String.self)
        self = .pending
      }
    }

    /// Writes a boolean, or `"pending"`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .revoked: try container.encode(true)
      case .notRevoked: try container.encode(false)
      case .pending: try container.encode("pending")
      }
    }
  }
}

extension GmailDisconnectData: JSONWritable {
  /// Writes the one member.
  public func write(to text: inout JSONText) {
    text.object {
      $0.key(CodingKeys.revoked.rawValue)
      switch revoked {
      case .revoked: $0.value(true)
      case .notRevoked: $0.value(false)
      case .pending: $0.value("pending")
      }
    }
  }
}
