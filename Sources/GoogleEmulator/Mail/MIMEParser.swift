import FoundationEssentials

/// Takes a message apart. Any bytes give some message; depth and number of parts are bounded.
struct MIMEParser {
  private static let deepest = 50
  private var partsLeft = 1000

  /// The message in `raw`.
  static func parse(_ raw: [UInt8]) -> MIMEPart {
    var parser = MIMEParser()
    return parser.part(raw[...], depth: 0, standardType: "text/plain")
  }

  private mutating func part(_ text: ArraySlice<UInt8>, depth: Int, standardType: String) -> MIMEPart {
    partsLeft -= 1
    var body = text
    let headers = MailHeaders(parsing: &body)
    let type = headers["Content-Type"].map { ParameterizedField($0) }
    let disposition = headers["Content-Disposition"].map { ParameterizedField($0) }
    let mediaType = type.flatMap { Self.isMediaType($0.value) ? $0.value : nil } ?? standardType
    let canDescend = depth < Self.deepest && partsLeft > 0
    var content: [UInt8] = []
    var children: [MIMEPart] = []
    if mediaType.hasPrefix("multipart/"), canDescend, let boundary = type?["boundary"], !boundary.isEmpty {
      let inner = mediaType == "multipart/digest" ? "message/rfc822" : "text/plain"
      for piece in Self.pieces(of: body, boundary: boundary) where partsLeft > 0 {
        children.append(part(piece, depth: depth + 1, standardType: inner))
      }
    } else {
      content = Self.decode(body, headers["Content-Transfer-Encoding"])
      if mediaType == "message/rfc822", canDescend {
        children = [part(content[...], depth: depth + 1, standardType: "text/plain")]
      }
    }
    return MIMEPart(
      headers: headers, mediaType: mediaType, charset: type?["charset"],
      disposition: disposition?.value ?? "",
      filename: Self.filename(disposition, type, mediaType), content: content, children: children)
  }

  private static func isMediaType(_ text: String) -> Bool {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { !$0.isEmpty && !$0.contains(" ") }
  }

  /// The name without control characters. An attached message without one is called as Gmail calls it.
  private static func filename(
    _ disposition: ParameterizedField?, _ type: ParameterizedField?, _ mediaType: String
  ) -> String {
    let name = disposition?.text("filename") ?? type?.text("name") ?? ""
    let plain = String(
      String.UnicodeScalarView(name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    return plain.isEmpty && mediaType == "message/rfc822" ? "noname.eml" : plain.trimmed
  }

  /// What lies between the delimiter lines (RFC 2046 section 5.1.1). The line break before a delimiter is
  /// part of it; a missing last delimiter ends with the text.
  static func pieces(of body: ArraySlice<UInt8>, boundary: String) -> [ArraySlice<UInt8>] {
    let delimiter = Array("--\(boundary)".utf8)
    var pieces: [ArraySlice<UInt8>] = []
    var start: Int?
    var lastEnding = body.startIndex..<body.startIndex
    for line in MailLines(body) {
      if line.content.starts(with: delimiter), let isLast = lastMark(line.content.dropFirst(delimiter.count))
      {
        if let begin = start { pieces.append(body[begin..<max(begin, lastEnding.lowerBound)]) }
        start = isLast ? nil : line.ending.endIndex
        if isLast { break }
      }
      lastEnding = line.ending.startIndex..<line.ending.endIndex
    }
    if let begin = start { pieces.append(body[begin...]) }
    return pieces
  }

  /// Whether what follows a delimiter marks the last one; nil when the line is no delimiter at all.
  private static func lastMark(_ rest: ArraySlice<UInt8>) -> Bool? {
    let isLast = rest.starts(with: Array("--".utf8))
    let padding = isLast ? rest.dropFirst(2) : rest
    return isLast || padding.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? isLast : nil
  }

  private static func decode(_ body: ArraySlice<UInt8>, _ encoding: String?) -> [UInt8] {
    switch encoding.map({ ParameterizedField($0).value }) {
    case "base64": return base64(body)
    case "quoted-printable": return QuotedPrintable.decode(body)
    default: return Array(body)
    }
  }

  /// Foundation's decoder is the faster one, but stops at the first padding.
  private static func base64(_ body: ArraySlice<UInt8>) -> [UInt8] {
    let padding = body.place(of: UInt8(ascii: "=")).map { body[$0...] } ?? []
    let isPlain = padding.allSatisfy { $0 <= 0x20 || $0 == UInt8(ascii: "=") }
    let quick = isPlain ? Data(base64Encoded: Data(body), options: .ignoreUnknownCharacters) : nil
    return quick.map { Array($0) } ?? LenientBase64.decode(body) ?? []
  }
}
