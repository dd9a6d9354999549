import HTTP

/// Collects the field lines of the final header: those of interim replies (RFC 9110 section 15.2) and of the
/// trailer are left out.
struct ResponseHeader {
  private(set) var fields: [HTTPFields.Field] = []
  private var isComplete = false

  /// Takes one line as libcurl gives it: the status line of each reply, its fields, an empty line; then
  /// trailers.
  mutating func receive(_ line: UnsafeRawBufferPointer) {
    if line.starts(with: "HTTP/".utf8) {
      fields.removeAll()
      fields.reserveCapacity(16)
      isComplete = false
    } else if line.allSatisfy({ $0.isLineWhitespace }) {
      isComplete = true
    } else if !isComplete {
      append(line)
    }
  }

  private mutating func append(_ line: UnsafeRawBufferPointer) {
    if let first = line.first, first.isLineWhitespace, let last = fields.popLast() {
      // A folded line goes on with the one before (RFC 9112 section 5.2).
      fields.append(.init(name: last.name, value: last.value + " " + Self.trimmed(line, from: 0)))
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      fields.append(.init(name: Self.text(line[..<colon]), value: Self.trimmed(line, from: colon + 1)))
    }
  }

  private static func trimmed(_ line: UnsafeRawBufferPointer, from start: Int) -> String {
    var (start, end) = (start, line.count)
    while start < end, line[start].isLineWhitespace { start += 1 }
    while start < end, line[end - 1].isLineWhitespace { end -= 1 }
    return text(line[start..<end])
  }

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes), as: UTF8.self)
  }
}

extension UInt8 {
  /// A space, a tab, or what ends a line.
  fileprivate var isLineWhitespace: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
