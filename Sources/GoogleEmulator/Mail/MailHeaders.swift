import HTTP

/// A message's or part's header fields, in order.
struct MailHeaders: Sendable {
  /// One field: its name as written, its value unfolded (RFC 5322 section 2.2.3).
  struct Field: Sendable {
    let name: String
    let value: String
  }

  private(set) var fields: [Field] = []

  /// Takes the header off the front of `text`; what remains is the body.
  init(parsing text: inout ArraySlice<UInt8>) {
    var open: (name: String, value: [UInt8])?
    let whole = text
    for line in MailLines(whole) {
      text = whole[line.ending.endIndex...]
      if line.content.isEmpty { break }
      if let first = line.content.first, first == 0x20 || first == 0x09 {
        open?.value.append(contentsOf: line.content)
      } else {
        close(&open)
        open = Self.start(line.content)
      }
    }
    close(&open)
  }

  /// Nil for a line that is no field, like mbox's `From `.
  private static func start(_ line: ArraySlice<UInt8>) -> (name: String, value: [UInt8])? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex,
      line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F || $0 == 0x20 }), line.first != 0x20
    else { return nil }
    let name = String(decoding: line[..<colon], as: UTF8.self).trimmed
    return name.contains(" ") ? nil : (name, Array(line[(colon + 1)...]))
  }

  private mutating func close(_ open: inout (name: String, value: [UInt8])?) {
    if let field = open {
      fields.append(Field(name: field.name, value: Charset.decode(field.value, named: nil).trimmed))
    }
    open = nil
  }

  /// The first value of `name`, not decoded.
  subscript(name: String) -> String? { fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value }

  /// Every value of `name`, in order.
  func values(of name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// The first value of `name` with its encoded words decoded; empty without one.
  func text(_ name: String) -> String { self[name].map(EncodedWord.decode) ?? "" }
}

extension MailHeaders.Field {
  /// The value as the Gmail API shows it: encoded words decoded, but not in the fields about content.
  var shownValue: String { name.lowercased().hasPrefix("content-") ? value : EncodedWord.decode(value) }
}

extension String {
  /// Without white space at either end.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
