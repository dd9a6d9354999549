import HTTP

/// What a request asks for (RFC 9112 section 3.2): origin-form, absolute-form, or `*` with OPTIONS.
struct RequestTarget {
  /// The path, still percent-encoded.
  let path: String
  /// What follows the first `?`, still percent-encoded.
  let query: String?
  /// The host of an absolute-form target, which replaces `Host`.
  let authority: String?

  /// `target` holds target bytes only.
  init(parsing target: Span<UInt8>, method: HTTPMethod) throws(Refusal) {
    if target[0] == UInt8(ascii: "/") {
      authority = nil
      (path, query) = Self.pathAndQuery(target, from: 0)
    } else if method == .options, target.count == 1, target[0] == UInt8(ascii: "*") {
      (path, query, authority) = ("*", nil, nil)
    } else {
      let start = try Self.authorityStart(target)
      let end = target.end(of: { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }, from: start)
      let host = target.text(start..<end)
      guard !host.isEmpty, Self.isAuthority(host) else { throw .malformed }
      authority = host
      let (path, query) = Self.pathAndQuery(target, from: end)
      self.path = path.isEmpty ? "/" : path
      self.query = query
    }
  }

  private static func pathAndQuery(_ target: Span<UInt8>, from start: Int) -> (String, String?) {
    guard let mark = target.firstIndex(of: UInt8(ascii: "?"), from: start) else {
      return (target.text(start..<target.count), nil)
    }
    return (target.text(start..<mark), target.text((mark + 1)..<target.count))
  }

  /// Where the authority begins, behind `http://` or `https://`; other schemes are not ours to serve.
  private static func authorityStart(_ target: Span<UInt8>) throws(Refusal) -> Int {
    for scheme in ["http://", "https://"] where target.count > scheme.utf8.count {
      if target.text(0..<scheme.utf8.count).equalsIgnoringASCIICase(scheme) { return scheme.utf8.count }
    }
    throw .malformed
  }

  /// Whether `text` can be a host and port: no user information, no path (RFC 9110 section 7.2).
  static func isAuthority(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "$")...UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: ";"), UInt8(ascii: "!"),
        UInt8(ascii: "="), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        true
      default: false
      }
    }
  }
}
