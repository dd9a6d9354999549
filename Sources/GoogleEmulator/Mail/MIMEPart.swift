/// A message or a part of one (RFC 2045, 2046).
struct MIMEPart: Sendable {
  let headers: MailHeaders
  /// `type/subtype`, lower case.
  let mediaType: String
  /// The charset that a text names.
  let charset: String?
  /// `attachment`, `inline`, another word, or nothing.
  let disposition: String
  /// The decoded file name; empty for none.
  let filename: String
  /// The decoded content; empty for a multipart. For an attached message its bytes.
  let content: [UInt8]
  /// A multipart's parts; the one message inside `message/rfc822`.
  let children: [MIMEPart]

  var isMultipart: Bool { mediaType.hasPrefix("multipart/") }
  var isText: Bool { mediaType.hasPrefix("text/") }

  /// Whether its content is a text that belongs to the message itself, rather than a file beside it.
  var isBodyText: Bool { isText && filename.isEmpty && disposition != "attachment" }

  /// A body text as text.
  var text: String { Charset.decode(content, named: charset) }

  /// Whether a reader shows it as an attachment: a file or an attached message, but no picture of the text.
  var isAttachment: Bool {
    guard !isMultipart, !isBodyText, !content.isEmpty else { return false }
    return !(mediaType.hasPrefix("image/") && disposition != "attachment" && headers["Content-ID"] != nil)
  }

  /// This part and all below it, depth first; attached messages are opened only if `intoMessages`.
  func flattened(intoMessages: Bool) -> [MIMEPart] {
    let below = mediaType == "message/rfc822" && !intoMessages ? [] : children
    return [self] + below.flatMap { $0.flattened(intoMessages: intoMessages) }
  }
}
