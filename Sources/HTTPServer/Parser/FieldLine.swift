import HTTP

extension HTTPFields.Field {
  /// One field line (RFC 9112 section 5). A folded line, a space before the colon, an empty name and
  /// control bytes are malformed.
  init(parsing line: Span<UInt8>) throws(Refusal) {
    let colon = line.end(of: \.isToken, from: 0)
    guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else { throw .malformed }
    let start = line.end(of: \.isBlank, from: colon + 1)
    guard line.isFieldValue(from: start) else { throw .malformed }
    var end = line.count
    while end > start, line[end - 1].isBlank { end -= 1 }
    self.init(name: line.text(0..<colon), value: line.text(start..<end))
  }
}
