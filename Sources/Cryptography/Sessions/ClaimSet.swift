import Primitives

/// The members of a JWT's header or payload (RFC 7519 section 4), of which the few that matter are looked up.
struct ClaimSet {
  private let members: [PlainJSONObject.Member]

  /// The members of `json`; nil when it is no JSON object.
  init?(json: [UInt8]) {
    if let plain = PlainJSONObject.members(of: json) {
      members = plain
    } else {
      guard case .object(let object)? = JSONValue(json: json) else { return nil }
      members = object.map { PlainJSONObject.Member(name: $0.key, value: $0.value) }
    }
  }

  /// The value of the claim; nil when there is none, which differs from `null`.
  subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }

  /// The claim as a NumericDate, rounded down to the second; nil when there is none.
  ///
  /// A number in a string is read too: the tokens' first issuer read dates through Python's `int()`.
  func numericDate(_ name: String) throws(SessionTokenError) -> Timestamp? {
    guard let claim = self[name] else { return nil }
    let seconds: Int64? =
      switch claim {
      case .integer(let number): number
      case .number(let number): Int64(exactly: number.rounded(.down))
      case .string(let text): Int64(text)
      case .null, .bool, .array, .object: nil
      }
    guard let seconds else { throw .malformed }
    return Timestamp(seconds: seconds)
  }
}
