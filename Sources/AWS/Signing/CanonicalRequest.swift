import HTTP

/// A request in the one form that both sides hash.
///
/// Source: AWS IAM User Guide, "Create a signed AWS API request", step 1.
struct CanonicalRequest {
  /// The text to hash.
  let text: [UInt8]
  /// The names of the signed fields, sorted, `;` between them.
  let signedFields: String

  /// The canonical form of a request whose path and query are canonical already.
  init(method: HTTPMethod, path: String, query: String, fields: HTTPFields, payloadHash: String) {
    let fields = Self.canonical(fields)
    signedFields = fields.map(\.name).joined(separator: ";")
    var text: [UInt8] = []
    text.reserveCapacity(1024)
    func line(_ content: String) {
      text.append(contentsOf: content.utf8)
      text.append(UInt8(ascii: "\n"))
    }
    line(method.rawValue)
    line(path)
    line(query)
    for field in fields {
      text.append(contentsOf: field.name.utf8)
      text.append(UInt8(ascii: ":"))
      line(field.value)
    }
    line("")
    line(signedFields)
    text.append(contentsOf: payloadHash.utf8)
    self.text = text
  }

  /// Fields that a proxy or the transport may add to or change; botocore leaves the same ones unsigned.
  private static let unsigned: Set<String> = [
    "authorization", "baggage", "connection", "expect", "keep-alive", "proxy-authenticate",
    "proxy-authorization", "te", "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade",
    "user-agent", "x-amzn-trace-id",
  ]

  /// Names in lower case and sorted, values without needless spaces, lines of one name made one.
  private static func canonical(_ fields: HTTPFields) -> [(name: String, value: String)] {
    var result: [(name: String, value: String)] = []
    result.reserveCapacity(fields.count)
    for field in fields {
      let name = field.name.lowercased()
      guard !unsigned.contains(name) else { continue }
      let value = singleSpaced(field.value)
      if let index = result.firstIndex(where: { $0.name == name }) {
        result[index].value += "," + value
      } else {
        result.append((name, value))
      }
    }
    result.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return result
  }

  private static func singleSpaced(_ value: String) -> String {
    let bytes = value.utf8
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard bytes.contains(where: isSpace) else { return value }
    return bytes.split(whereSeparator: isSpace).map { String(decoding: $0, as: UTF8.self) }
      .joined(separator: " ")
  }
}
