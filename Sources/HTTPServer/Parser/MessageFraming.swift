import HTTP

/// Where a request ends, and whether another may follow: the fields that decide it, noted one by one.
///
/// Whatever two servers in a row could read differently is refused (RFC 9112 sections 6.3 and 11.2):
/// that is how a request is smuggled past one of them.
struct MessageFraming {
  private(set) var contentLength: Int?
  private(set) var isChunked = false
  private(set) var expectsContinue = false
  private var hosts = 0
  private var saysClose = false
  private var saysKeepAlive = false

  /// Notes `field` if it bears on the framing.
  mutating func note(_ field: HTTPFields.Field) throws(Refusal) {
    let name = field.name
    switch name.utf8.count {
    case 4 where name.equalsIgnoringASCIICase("Host"):
      hosts += 1
      guard RequestTarget.isAuthority(field.value) else { throw .malformed }
    case 6 where name.equalsIgnoringASCIICase("Expect"):
      guard field.value.equalsIgnoringASCIICase("100-continue") else { throw .unknownExpectation }
      expectsContinue = true
    case 10 where name.equalsIgnoringASCIICase("Connection"): noteConnection(field.value)
    case 14 where name.equalsIgnoringASCIICase("Content-Length"):
      guard contentLength == nil else { throw .malformed }
      contentLength = try Self.length(field.value)
    case 17 where name.equalsIgnoringASCIICase("Transfer-Encoding"):
      guard !isChunked else { throw .malformed }
      guard field.value.equalsIgnoringASCIICase("chunked") else { throw .unknownCoding }
      isChunked = true
    default: break
    }
  }

  /// Holds the whole head against the rules that need all of it.
  func check(isVersion11: Bool, bodyLimit: Int) throws(Refusal) {
    guard hosts == 1 || hosts == 0 && !isVersion11 else { throw .malformed }
    guard !isChunked || contentLength == nil && isVersion11 else { throw .malformed }
    guard contentLength ?? 0 <= bodyLimit else { throw .bodyTooLarge }
  }

  /// Whether the connection stays open behind the response (RFC 9112 section 9.3).
  func keepsAlive(isVersion11: Bool) -> Bool { !saysClose && (isVersion11 || saysKeepAlive) }

  private mutating func noteConnection(_ value: String) {
    for option in value.split(separator: ",") {
      let word = String(option.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
      if word.equalsIgnoringASCIICase("close") { saysClose = true }
      if word.equalsIgnoringASCIICase("keep-alive") { saysKeepAlive = true }
    }
  }

  /// Digits only: no sign, no list, nothing that overflows.
  private static func length(_ value: String) throws(Refusal) -> Int {
    guard !value.isEmpty, value.utf8.count <= 18, value.utf8.allSatisfy(\.isDigit), let length = Int(value)
    else {
      throw .malformed
    }
    return length
  }
}
