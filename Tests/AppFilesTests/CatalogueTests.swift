import AppModel
import Foundation
import Testing

@Suite("The string catalogue")
struct CatalogueTests {
  private static let path = "App/Resources/Localizable.xcstrings"
  private static let languages = ["en", "sv"]
  private let repository = Repository()

  private struct Catalogue: Decodable {
    let sourceLanguage: String
    let version: String
    let strings: [String: Entry]
    struct Entry: Decodable { let localizations: [String: Localization] }
    struct Localization: Decodable { let stringUnit: Unit }
    struct Unit: Decodable {
      let state: String
      let value: String
    }
  }

  private func catalogue() throws -> Catalogue {
    try JSONDecoder().decode(Catalogue.self, from: Data(try repository.text(Self.path).utf8))
  }

  /// The keys that the app's own Swift names. All of them begin with `view.`, and nothing else does.
  private func viewKeys() throws -> Set<String> {
    Set(
      try repository.appSources().flatMap { path in
        try repository.text(path).matches(of: /"(view\.[a-z_.]+)"/).map { String($0.1) }
      })
  }

  @Test("has a text in both languages for every message of the models and every text of the views")
  func complete() throws {
    let strings = try catalogue().strings
    for key in try viewKeys().union(MessageKey.allCases.map(\.rawValue)) {
      let entry = try #require(strings[key], "\(key) is missing")
      #expect(Set(entry.localizations.keys) == Set(Self.languages), "\(key)")
      for (language, text) in entry.localizations {
        #expect(text.stringUnit.state == "translated", "\(key) in \(language)")
        #expect(!text.stringUnit.value.trimmingCharacters(in: .whitespaces).isEmpty, "\(key) in \(language)")
      }
    }
  }

  @Test("has no key that nothing uses")
  func noneUnused() throws {
    let used = try viewKeys().union(MessageKey.allCases.map(\.rawValue))
    #expect(used.count > 80)
    for key in try catalogue().strings.keys { #expect(used.contains(key), "\(key) is not used") }
  }

  @Test("has a place for each argument of a message in both languages, and no other place")
  func places() throws {
    let strings = try catalogue().strings
    let counts = Dictionary(
      uniqueKeysWithValues: MessageKey.allCases.map { ($0.rawValue, $0.argumentNames.count) })
    for (key, entry) in strings {
      let wanted = (0..<(counts[key] ?? 0)).map { "%\($0 + 1)$@" }
      for (language, text) in entry.localizations {
        let found = text.stringUnit.value.matches(of: /%[^ ]*?@|%/).map { String($0.output) }.sorted()
        #expect(found == wanted, "\(key) in \(language): \(text.stringUnit.value)")
      }
    }
  }

  @Test("is a catalogue as Xcode writes one, in English first")
  func form() throws {
    let catalogue = try catalogue()
    #expect(catalogue.sourceLanguage == "en")
    #expect(catalogue.version == "1.0")
    let keys = try repository.text(Self.path).matches(of: /(?m)^    "([^"]+)" : \{/).map { String($0.1) }
    #expect(keys == keys.sorted())
    let info = try repository.text("App/Resources/Info.plist")
    for language in Self.languages { #expect(info.contains("<string>\(language)</string>")) }
  }

  @Test("no view writes a text of its own")
  func noLooseTexts() throws {
    let texts =
      /(?:Text|Label|Button|TextField|SecureField|Section|LabeledContent|ProgressView|NavigationLink|ContentUnavailableView|navigationTitle|confirmationDialog|accessibilityLabel|accessibilityHint)\(\s*"([^"]*)"/
    for path in repository.appSources() {
      for match in try repository.text(path).matches(of: texts) {
        #expect(match.1.hasPrefix("view."), "\(path) has \(match.1)")
      }
    }
  }
}
