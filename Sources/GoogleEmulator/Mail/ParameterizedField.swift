/// A field like `Content-Type`: a value and parameters (RFC 2045 section 5.1, RFC 2231).
struct ParameterizedField: Sendable {
  /// What stands before the parameters, lower case.
  let value: String
  private let parameters: [(name: String, value: String)]

  /// Reads as much as makes sense.
  init(_ text: String) {
    var scanner = Scanner(rest: text[...])
    value = scanner.upTo(";").trimmed.lowercased()
    var parameters: [(String, String)] = []
    while scanner.skip(";") {
      let name = scanner.upTo("=;").trimmed.lowercased()
      guard scanner.skip("=") else { continue }
      parameters.append((name, scanner.parameterValue()))
    }
    self.parameters = parameters
  }

  /// The parameter as plain text, first one wins.
  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The parameter as a text for people: the extended form in one piece or in several (RFC 2231 sections 3
  /// and 4), else the plain one with encoded words decoded, which the RFC forbids and senders do.
  func text(_ name: String) -> String? {
    if let extended = self[name + "*"] { return Extended(extended).text }
    let pieces = (0..<100).lazy.map { number -> (String, Bool)? in
      let plain = self["\(name)*\(number)"].map { ($0, false) }
      return self["\(name)*\(number)*"].map { ($0, true) } ?? plain
    }.prefix { $0 != nil }.compactMap(\.self)
    let joined = Array(pieces)
    return joined.isEmpty ? self[name].map(EncodedWord.decode) : Extended(pieces: joined).text
  }
}

/// `charset'language'percent-encoded`.
private struct Extended {
  let text: String

  init(_ value: String) { self.init(pieces: [(value, true)]) }

  /// Pieces in order; only those marked as extended are percent-encoded, and the first names the charset.
  init(pieces: [(value: String, isExtended: Bool)]) {
    var charset: String?
    var bytes: [UInt8] = []
    for (number, piece) in pieces.enumerated() {
      var value = piece.value[...]
      if number == 0, piece.isExtended {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 3 {
          charset = String(parts[0])
          value = parts[2]
        }
      }
      bytes += piece.isExtended ? Self.unescape(value) : Array(value.utf8)
    }
    let decoded = Charset.decode(bytes, named: charset)
    text = decoded.contains("=?") ? EncodedWord.decode(decoded) : decoded
  }

  /// Broken escapes stay as they are.
  private static func unescape(_ text: Substring) -> [UInt8] {
    var output: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, rest.first != UInt8(ascii: "+"),
        let escaped = UInt8(rest.prefix(2).map { String(UnicodeScalar($0)) }.joined(), radix: 16)
      {
        output.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        output.append(byte)
      }
    }
    return output
  }
}

private struct Scanner {
  var rest: Substring

  mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// Everything before one of `stops`, comments left out.
  mutating func upTo(_ stops: String) -> String {
    var output = ""
    var depth = 0
    while let character = rest.first, depth > 0 || !stops.contains(character) {
      rest.removeFirst()
      switch character {
      case "(": depth += 1
      case ")" where depth > 0: depth -= 1
      case _ where depth == 0: output.append(character)
      default: break
      }
    }
    return output
  }

  /// A token or a quoted string; one without its closing quote reaches to the end.
  mutating func parameterValue() -> String {
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    guard skip("\"") else { return upTo(";").trimmed }
    var output = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
        output.append(next)
        rest.removeFirst()
      } else {
        output.append(character)
      }
    }
    _ = upTo(";")
    return output
  }
}
