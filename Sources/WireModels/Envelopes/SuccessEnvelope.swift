import Primitives

/// The body of every 2xx reply: `{"message","code","data"}`. `data` is null, and present, when there is none.
public struct SuccessEnvelope<Payload> {
  /// A sentence for people; empty when an older server left it out.
  public var message: String
  /// The HTTP status again; nil when an older server left it out, and then the reply's own status holds.
  public var code: Int?
  /// The result, nil when the endpoint has none.
  public var data: Payload?

  /// The envelope around `data`.
  public init(message: String, code: Int, data: Payload?) {
    self.message = message
    self.code = code
    self.data = data
  }

  private enum CodingKeys: String, CodingKey { case message, code, data }
}

extension SuccessEnvelope: Sendable where Payload: Sendable {}
extension SuccessEnvelope: Equatable where Payload: Equatable {}

extension SuccessEnvelope: Encodable where Payload: Encodable {
  /// Writes all three members, `data` as null when there is none.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(message, forKey: .message)
    try container.encodeIfPresent(code, forKey: .code)
    try container.encode(data, forKey: .data)
  }
}

extension SuccessEnvelope: JSONWritable where Payload: JSONWritable {
  /// Writes all three members, `data` as null when there is none.
  public func write(to text: inout JSONText) {
    text.object {
      $0.member(CodingKeys.message.rawValue, message)
      $0.member(CodingKeys.code.rawValue, code.map { .integer(Int64($0)) } as JSONValue?)
      $0.key(CodingKeys.data.rawValue)
      if let data { data.write(to: &$0) } else { $0.null() }
    }
  }
}

extension SuccessEnvelope: Decodable where Payload: Decodable {
  /// Reads what is there; unknown members are ignored.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
    code = try container.decodeIfPresent(Int.self, forKey: .code)
    data = try container.decodeIfPresent(Payload.self, forKey: .data)
  }
}

/// The payload type of replies whose `data` is null.
public struct NoData: Codable, Sendable, Hashable, JSONWritable {
  /// Nothing.
  public init() {}
  /// Writes an object without members.
  public func write(to text: inout JSONText) { text.object { _ in } }
}
