import Primitives

/// The body of every reply of 400 and above: `{"error":{"code","message","reason"?,"request_id"?}}`.
public struct ErrorEnvelope: Codable, Sendable, Hashable {
  /// What went wrong.
  public var error: Details

  private enum CodingKeys: String, CodingKey { case error }

  /// The envelope around the given details.
  public init(code: ErrorCode, message: String, reason: ErrorReason? = nil, requestID: String? = nil) {
    error = Details(code: code, message: message, reason: reason, requestID: requestID)
  }

  /// The `error` object.
  public struct Details: Codable, Sendable, Hashable {
    /// What went wrong, for a program.
    public var code: ErrorCode
    /// What went wrong, for a person.
    public var message: String
    /// Which kind of refusal it is, where a program can act on it.
    public var reason: ErrorReason?
    /// Names the request in the server's log.
    public var requestID: String?

    private enum CodingKeys: String, CodingKey {
      case code, message, reason
      case requestID = "request_id"
    }

    /// The details of one error.
    public init(code: ErrorCode, message: String, reason: ErrorReason? = nil, requestID: String? = nil) {
      self.code = code
      self.message = message
      self.reason = reason
      self.requestID = requestID
    }

    /// Reads what is there; only `code` must be.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      code = try container.decode(ErrorCode.self, forKey: .code)
      message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
      reason = try container.decodeIfPresent(ErrorReason.self, forKey: .reason)
      requestID = try container.decodeIfPresent(String.self, forKey: .requestID)
    }
  }
}

extension ErrorEnvelope: JSONWritable {
  /// Writes the details that are known.
  public func write(to text: inout JSONText) { text.object { $0.member(CodingKeys.error.rawValue, error) } }
}

extension ErrorEnvelope.Details: JSONWritable {
  /// Writes the members that are known.
  public func write(to text: inout JSONText) {
    text.object {
      $0.member(CodingKeys.code.rawValue, code.rawValue)
      $0.member(CodingKeys.message.rawValue, message)
      $0.member(CodingKeys.reason.rawValue, reason?.rawValue)
      $0.member(CodingKeys.requestID.rawValue, requestID)
    }
  }
}
