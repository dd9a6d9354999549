import Foundation
import Testing

@Suite("docs/ios-integration.md and docs/google-cloud-setup.md")
struct IntegrationDocumentTests {
  private static let guide = "docs/ios-integration.md"
  private static let googleSetup = "docs/google-cloud-setup.md"
  private let repository = Repository()

  @Test("every file that they link to is there", arguments: [Self.guide, Self.googleSetup])
  func links(document: String) throws {
    let links = try repository.text(document).matches(of: /\]\(([^)#]+)\)/).map { String($0.1) }
      .filter { !$0.hasPrefix("http") }
    #expect(!links.isEmpty)
    for link in links { #expect(repository.exists("docs/" + link), "\(link)") }
  }

  @Test("every quoted line is in its file, and the flow has its twelve steps")
  func quotes() throws {
    let text = try repository.text(Self.guide)
    let quotes = text.matches(of: /- \[`([^`]+)`\]\(\.\.\/([^)]+)\): `([^\n]+)`\n/)
    #expect(quotes.count > 20)
    for quote in quotes {
      #expect(quote.1 == quote.2)
      let lines = try repository.text(String(quote.2)).split(separator: "\n")
      #expect(lines.contains { $0.contains(quote.3) }, "\(quote.2) has no line `\(quote.3)`")
    }
    #expect(text.matches(of: /(?m)^(\d+)\. \*\*/).map { Int($0.1) } == Array(1...12))
  }

  @Test("every path and symbol that the guide names exists")
  func symbols() throws {
    let prose = try repository.text(Self.guide)
      .replacing(/- \[`[^`]+`\]\([^)]+\): `[^\n]+`\n/, with: "\n")
    let words = Set(
      try ["Sources", "App"].flatMap { folder in
        try repository.files(in: folder, endings: [".swift", ".xcconfig", ".plist"]).flatMap { path in
          try repository.text(path).matches(of: /\w+/).map { String($0.output) }
        }
      })
    let spans = prose.matches(of: /`([^`\n]+)`/).map { String($0.1) }
    #expect(spans.count > 40)
    for span in spans where !span.contains(" ") {
      if span.contains("/") {
        #expect(repository.exists(span), "there is no \(span)")
      } else {
        // `gmail.readonly` is two words.
        for word in span.split(separator: ".") {
          #expect(words.contains(String(word)), "nothing is called \(span)")
        }
      }
    }
  }

  @Test("every state of the connection is in the guide's table")
  func states() throws {
    let guide = try repository.text(Self.guide)
    let declaration = try repository.text("Sources/AppModel/Gmail/GmailConnectionState.swift")
    let state = try #require(declaration.firstMatch(of: /public enum State[^\n]*\{\n([\s\S]+?)\n  \}/)).1
    let names = state.matches(of: /(?m)^    case (\w+)/).map { String($0.1) }
    #expect(names.count == 10)
    for name in names { #expect(guide.contains("`\(name)`"), "\(name)") }
  }

  @Test("the setup asks for no confidential value, and names what the app and the server read")
  func setup() throws {
    let guide = try repository.text(Self.googleSetup)
    #expect(guide.firstMatch(of: /(?i)client[_ ]secret/) == nil)
    let configuration = try repository.text("App/Configuration.xcconfig")
    for name in ["GOOGLE_CLIENT_PREFIX", "PRODUCT_BUNDLE_IDENTIFIER"] {
      #expect(guide.contains(name) && configuration.contains(name + " ="))
    }
    let server = repository.files(in: "Sources/paypulse-server", endings: [".swift"])
    let text = try server.map { try repository.text($0) }.joined()
    for name in ["google-client-id", "PAYPULSE_GOOGLE_CLIENT_IDS", "check-config", "check-connection"] {
      #expect(guide.contains(name) && text.contains(name), "\(name)")
    }
  }

  @Test("the README points to both")
  func readme() throws {
    let readme = try repository.text("README.md")
    for document in [Self.guide, Self.googleSetup] { #expect(readme.contains("](\(document))")) }
  }
}
