import Cryptography

/// Scopes in their long form, each once, in the order they were asked for.
struct ScopeList: Sendable, Hashable {
  private(set) var names: [String]

  /// No scopes.
  init() { names = [] }

  /// The scopes in a space-separated text (RFC 6749 section 3.3), short forms made long.
  init(_ text: String) {
    self.init(text.split(separator: " ").map(String.init))
  }

  /// The given scopes, short forms made long.
  init(_ scopes: [String]) {
    var seen: Set<String> = []
    names = scopes.map(ScopeCatalogue.canonical).filter { seen.insert($0).inserted }
  }

  var isEmpty: Bool { names.isEmpty }

  /// Those that do not exist.
  var unknown: [String] { names.filter { ScopeCatalogue.meaning(of: $0) == nil } }

  /// Those that the consent page asks about.
  var optional: [String] { names.filter { !ScopeCatalogue.identity.contains($0) } }

  /// Whether any of them says who someone is.
  var identifies: Bool { names.contains { ScopeCatalogue.identity.contains($0) } }

  func contains(_ scope: String) -> Bool { names.contains(scope) }

  /// Whether every scope of `other` is here.
  func covers(_ other: ScopeList) -> Bool { Set(names).isSuperset(of: other.names) }

  /// Both, this one's first.
  func union(_ other: ScopeList) -> ScopeList { ScopeList(names + other.names) }

  /// Those that `isKept` keeps.
  func filter(_ isKept: (String) -> Bool) -> ScopeList { ScopeList(names.filter(isKept)) }

  /// With `openid` added when another identity scope is here, as Google does unasked.
  var withOpenID: ScopeList { identifies ? union(ScopeList(["openid"])) : self }

  /// As a reply carries them: space-separated, in an order of Google's own. Here it depends on nothing but
  /// the scopes and is never the order they came in, so that a client which compares texts is found out.
  var replyText: String {
    let keyed = names.map { (name: $0, key: Digest.sha256(Array($0.utf8))) }
    var shuffled = keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.name)
    if shuffled == names, shuffled.count > 1 { shuffled.append(shuffled.removeFirst()) }
    return shuffled.joined(separator: " ")
  }
}
