/// The lines of a message; each ends with LF, CRLF or the end of the text.
struct MailLines: Sequence, IteratorProtocol {
  /// A line and what ends it.
  struct Line {
    let content: ArraySlice<UInt8>
    let ending: ArraySlice<UInt8>
  }

  private var rest: ArraySlice<UInt8>

  init(_ text: ArraySlice<UInt8>) { rest = text }

  mutating func next() -> Line? {
    guard !rest.isEmpty else { return nil }
    let feed = rest.place(of: 0x0A) ?? rest.endIndex
    let after = Swift.min(feed + 1, rest.endIndex)
    var end = feed
    if feed < rest.endIndex, end > rest.startIndex, rest[end - 1] == 0x0D { end -= 1 }
    let line = Line(content: rest[rest.startIndex..<end], ending: rest[end..<after])
    rest = rest[after...]
    return line
  }
}
