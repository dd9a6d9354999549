import HTTP
import Primitives

/// A Gmail request that may go on: who asks, and for what.
struct GmailCall: Sendable {
  let account: Account
  let scopes: ScopeList
  let query: Parameters
  let path: [String: String]
  let now: Timestamp

  /// Whether the token may see headers and labels only.
  var seesMetadataOnly: Bool {
    scopes.contains(ScopeCatalogue.gmailMetadata)
      && !GmailMethod.getAttachment.scopes.contains(where: scopes.contains)
  }

  /// `maxResults` within its limits: 100 unless asked, at most 500.
  func pageSize() throws(GoogleAPIError) -> Int {
    guard let text = query.nonEmpty("maxResults") else { return 100 }
    guard let number = Int(text), number >= 0 else {
      throw .invalidArgument("Invalid value at 'max_results' (TYPE_UINT32), \"\(text)\"")
    }
    return number == 0 ? 100 : min(number, 500)
  }

  func flag(_ name: String) throws(GoogleAPIError) -> Bool {
    switch query.nonEmpty(name) {
    case nil, "false": return false
    case "true": return true
    case let text?: throw .invalidArgument("Invalid value at '\(name)' (TYPE_BOOL), \"\(text)\"")
    }
  }
}
