import HTTP

/// A path and a query as they are sent, and as they are signed.
struct CanonicalAddress {
  /// The path as it is sent.
  let path: String
  /// The path as it is signed.
  let signedPath: String
  /// The query as it is sent and signed, sorted; empty for none.
  let query: String

  /// The address of `request`. `encodesOnce` is S3's rule: its keys are taken as they are and encoded once, where
  /// every other service wants dot segments removed and the path that is sent encoded again.
  init(_ request: AWSRequest, encodesOnce: Bool) {
    let raw = request.endpoint.pathPrefix + request.path
    if encodesOnce {
      path = Self.encode(path: raw)
      signedPath = path
    } else {
      path = Self.encode(path: Self.normalized(raw))
      signedPath = path == "/" ? path : Self.encode(path: path)
    }
    query = Self.encode(query: request.query)
  }

  private static func encode(path: String) -> String {
    path == "/"
      ? path
      : path.split(separator: "/", omittingEmptySubsequences: false).map { PercentCoding.encode(String($0)) }
        .joined(separator: "/")
  }

  /// Without empty and dot segments (RFC 3986 section 5.2.4).
  private static func normalized(_ path: String) -> String {
    if path == "/" { return path }
    var kept: [Substring] = []
    let segments = path.split(separator: "/")
    for segment in segments {
      switch segment {
      case ".": break
      case "..": _ = kept.popLast()
      default: kept.append(segment)
      }
    }
    let endsInSlash = path.hasSuffix("/") && !kept.isEmpty
    return "/" + kept.joined(separator: "/") + (endsInSlash ? "/" : "")
  }

  /// Sorted by encoded name, then encoded value.
  private static func encode(query: [(name: String, value: String)]) -> String {
    if query.isEmpty { return "" }
    return query.map { (PercentCoding.encode($0.name), PercentCoding.encode($0.value)) }
      .sorted { $0 < $1 }.map { $0 + "=" + $1 }.joined(separator: "&")
  }
}
