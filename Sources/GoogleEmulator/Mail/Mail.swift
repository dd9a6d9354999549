import Primitives

/// A message as it lies in a mailbox: its bytes, and what they mean.
final class Mail: Sendable {
  let raw: [UInt8]
  let root: MIMEPart
  /// When the mailbox got it: the topmost `Received` says, else `Date`, else `arrival`.
  let date: Timestamp
  /// The first words of the text, as the API shows them: escaped for HTML.
  let snippet: String

  init(raw: [UInt8], arrival: Timestamp) {
    self.raw = raw
    root = MIMEParser.parse(raw)
    date = Self.date(root.headers) ?? arrival
    snippet = ConsentPage.escape(Self.beginning(of: Self.text(root)))
  }

  /// The body's text: plain parts, or what is visible of HTML ones where there is no plain text.
  static func text(_ root: MIMEPart) -> String {
    let texts = root.flattened(intoMessages: false).filter(\.isBodyText)
    let plain = texts.filter { $0.mediaType != "text/html" }
    if !plain.isEmpty { return plain.map(\.text).joined(separator: "\n") }
    return texts.map { VisibleText.of(html: $0.text) }.joined(separator: "\n")
  }

  private static func date(_ headers: MailHeaders) -> Timestamp? {
    let received = headers["Received"].flatMap { value in
      value.lastIndex(of: ";").flatMap { MailDate.parse(String(value[value.index(after: $0)...])) }
    }
    return received ?? headers["Date"].flatMap(MailDate.parse)
  }

  /// At most 200 characters, white space closed up, cut after a word.
  private static func beginning(of text: String) -> String {
    var output = ""
    for word in text.prefix(4000).split(whereSeparator: \.isWhitespace) {
      guard output.count + word.count < 200 else { break }
      output += (output.isEmpty ? "" : " ") + word
    }
    return output
  }
}
