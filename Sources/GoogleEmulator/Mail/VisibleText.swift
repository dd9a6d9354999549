/// What a person would read of an HTML text, roughly: enough to search in and to make a snippet of.
enum VisibleText {
  private static let hidden = ["script", "style", "head", "title"]
  private static let entities: [Substring: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "auml": "ä", "ouml": "ö",
    "aring": "å", "Auml": "Ä", "Ouml": "Ö", "Aring": "Å", "eacute": "é", "uuml": "ü", "aelig": "æ",
    "oslash": "ø",
  ]

  static func of(html: String) -> String {
    var output = ""
    var rest = html[...]
    while let opening = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      output += rest[..<opening]
      rest = rest[opening...]
      if rest.first == "&" { output += takeEntity(&rest) } else { output += takeTag(&rest) }
    }
    return output + rest
  }

  /// A tag counts as a space; a hidden element goes with all that is in it.
  private static func takeTag(_ rest: inout Substring) -> String {
    if rest.hasPrefix("<!--") {
      rest = after("-->", in: rest)
      return ""
    }
    let name = rest.dropFirst().prefix { $0.isLetter }.lowercased()
    let end = rest.firstIndex(of: ">").map { rest.index(after: $0) } ?? rest.endIndex
    rest = rest[end...]
    if hidden.contains(name) { rest = after("</\(name)", in: rest) }
    return " "
  }

  private static func after(_ mark: String, in text: Substring) -> Substring {
    var rest = text
    while let start = rest.firstIndex(where: { $0 == mark.first }) {
      rest = rest[start...]
      if rest.prefix(mark.count).lowercased() == mark {
        let end = rest.firstIndex(of: ">").map { rest.index(after: $0) } ?? rest.endIndex
        return rest[end...]
      }
      rest.removeFirst()
    }
    return ""
  }

  private static func takeEntity(_ rest: inout Substring) -> String {
    let name = rest.dropFirst().prefix(10).prefix { $0 != ";" && !$0.isWhitespace && $0 != "&" && $0 != "<" }
    let after = rest.dropFirst(1 + name.count)
    guard after.first == ";", let text = entities[name] ?? number(name) else {
      rest.removeFirst()
      return "&"
    }
    rest = after.dropFirst()
    return text
  }

  private static func number(_ name: Substring) -> String? {
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let value = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
