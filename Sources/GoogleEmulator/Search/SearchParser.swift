/// Reads Gmail's search language: words, "phrases", `field:value`, `-not`, `a OR b`, `( )` and `{ }`.
struct SearchParser {
  /// How many brackets and signs may stand inside one another: nobody types more, and a stack has an end.
  private static let deepest = 50

  private var rest: Substring
  private var depth = 0

  private init(_ text: String) { rest = text[...] }

  /// What `text` asks for. Anything can be read; unbalanced brackets end with the text, and what is nested deeper
  /// than anybody means is passed over.
  static func parse(_ text: String) -> SearchTerm {
    var parser = SearchParser(text)
    var terms: [SearchTerm] = []
    while !parser.rest.isEmpty {
      terms.append(parser.sequence(until: nil, inBraces: false))
      if !parser.rest.isEmpty { parser.rest.removeFirst() }
    }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  /// Terms side by side: all of them, or any of them `inBraces`. `OR` binds its neighbours first.
  private mutating func sequence(until end: Character?, inBraces: Bool) -> SearchTerm {
    var groups: [[SearchTerm]] = []
    var joins = false
    while true {
      skipSpace()
      guard let next = rest.first, next != ")", next != "}" else { break }
      if takeWord("OR") || take("|") {
        joins = true
        continue
      }
      if takeWord("AND") || take("+") { continue }
      guard let term = term() else { continue }
      if joins, !groups.isEmpty {
        groups[groups.count - 1].append(term)
      } else {
        groups.append([term])
      }
      joins = false
    }
    if let end { _ = take(end) }
    let terms = groups.map { $0.count == 1 ? $0[0] : SearchTerm.any($0) }
    return terms.count == 1 ? terms[0] : inBraces ? .any(terms) : .all(terms)
  }

  private mutating func term() -> SearchTerm? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      rest = rest[rest.endIndex...]
      return nil
    }
    if take("-") { return term().map { .not($0) } }
    if take("(") { return sequence(until: ")", inBraces: false) }
    if take("{") { return sequence(until: "}", inBraces: true) }
    if rest.first == "\"" { return .text(quoted()) }
    let word = rest.prefix { !$0.isWhitespace && !"(){}\":".contains($0) }
    guard !word.isEmpty else {
      // A lone colon says nothing; a closing bracket belongs to whoever opened it.
      _ = take(":")
      return nil
    }
    rest = rest[word.endIndex...]
    guard take(":") else { return .text(String(word)) }
    return argument(of: word.lowercased())
  }

  private mutating func argument(of field: String) -> SearchTerm {
    if rest.first == "\"" { return .field(field, quoted()) }
    if take("(") { return Self.push(field, into: sequence(until: ")", inBraces: false)) }
    if take("{") { return Self.push(field, into: sequence(until: "}", inBraces: true)) }
    let value = rest.prefix { !$0.isWhitespace && !"(){}".contains($0) }
    rest = rest[value.endIndex...]
    return .field(field, String(value))
  }

  /// `from:(a b)` means `from:a from:b`.
  private static func push(_ field: String, into term: SearchTerm) -> SearchTerm {
    switch term {
    case .all(let terms): .all(terms.map { push(field, into: $0) })
    case .any(let terms): .any(terms.map { push(field, into: $0) })
    case .not(let inner): .not(push(field, into: inner))
    case .text(let text): .field(field, text)
    case .field(let name, let value): .field(field, "\(name):\(value)")
    }
  }

  private mutating func quoted() -> String {
    rest.removeFirst()
    let text = rest.prefix { $0 != "\"" }
    rest = rest[text.endIndex...].dropFirst()
    return String(text)
  }

  private mutating func skipSpace() { rest = rest.drop { $0.isWhitespace } }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard rest.hasPrefix(word), rest.dropFirst(word.count).first.map({ $0.isWhitespace }) ?? true else {
      return false
    }
    rest = rest.dropFirst(word.count)
    return true
  }
}
