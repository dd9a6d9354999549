import Domain
import Primitives

/// What was found where a user's secret has its place.
enum FoundValue: Sendable {
  /// Nothing.
  case absent
  /// A value that can be restored, and not be read: it is being removed, or set aside.
  case aside
  /// A value.
  case value(StoredValue)

  /// The value, when it can be read.
  var value: StoredValue? { if case .value(let value) = self { value } else { nil } }
}

/// A value as it was read.
struct StoredValue: Sendable {
  /// Names this state of the value.
  let version: String
  /// The tokens in it; nil when it holds no usable ones.
  let tokens: OAuthTokens?
  /// The write that made it, by our count; nil when the older backend, or someone by hand, wrote it.
  let fence: Int64?
  /// The value as it is; nil when it is no text.
  let text: Secret?

  /// A value that does not open.
  init(unusable version: String, text: Secret? = nil) {
    self.version = version
    self.text = text
    tokens = nil
    fence = nil
  }

  /// Reads the JSON of ``OAuthTokens/members``.
  init(version: String, text: Secret) {
    self.version = version
    self.text = text
    let members = JSONValue(json: Array(text.expose().utf8))?.object
    tokens = try? members.map(OAuthTokens.init(members:))
    fence = members?["fence"]?.integer
  }

  /// The secret of which this is the value; `fence` is the refresh's that wrote it.
  func secret(fence: Int64) -> StoredSecret {
    guard var tokens else { return .unusable }
    tokens.fence = fence
    return .tokens(tokens, grantID: tokens.grantID ?? GrantID(version))
  }
}
