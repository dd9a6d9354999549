import HTTP

/// Collects the field lines of the final header: those of interim replies (RFC 9110 section 15.2) and of the
/// trailer are left out.
struct ResponseHeader {
  private(set) var fields: [HTTPFields.Field] = []
  private var isComplete = false

  /// Takes one line as libcurl gives it: the status line of each reply, its fields, an empty line; then
  /// trailers.
  mutating func receive(_ line: UnsafeRawBufferPointer) {
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      fields.removeAll()
      isComplete = false
    } else if text.utf8.allSatisfy({ $0.isLineWhitespace }) {
      isComplete = true
    } else if !isComplete {
      append(text)
    }
  }

  private mutating func append(_ line: String) {
    if let first = line.utf8.first, first.isLineWhitespace, let last = fields.popLast() {
      // A folded line goes on with the one before (RFC 9112 section 5.2).
      fields.append(.init(name: last.name, value: last.value + " " + Self.trimmed(line.utf8[...])))
    } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let value = line.utf8[line.utf8.index(after: colon)...]
      fields.append(.init(name: String(line[..<colon]), value: Self.trimmed(value)))
    }
  }

  private static func trimmed(_ text: Substring.UTF8View) -> String {
    let head = text.drop(while: \.isLineWhitespace)
    guard let last = head.lastIndex(where: { !$0.isLineWhitespace }) else { return "" }
    return String(decoding: head[...last], as: UTF8.self)
  }
}

extension UInt8 {
  /// A space, a tab, or what ends a line.
  fileprivate var isLineWhitespace: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
