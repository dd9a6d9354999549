import Testing

@Suite("The app's Swift")
struct SourceRulesTests {
  private let repository = Repository()

  private func lines(of path: String) throws -> [Substring] {
    try repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("has under 1,000 lines in all")
  func size() throws {
    let sources = repository.appSources()
    #expect(sources.count >= 10)
    let total = try sources.map { try lines(of: $0).count - 1 }.reduce(0, +)
    #expect(total < 1000, "\(total) lines")
  }

  @Test("type-checks against the declarations in App/TypeCheck/Stubs")
  func typeCheck() async throws {
    let outcome = try await repository.run("App/TypeCheck/check.sh")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("Only Xcode can tell"))
  }

  @Test("views know the models and nothing behind them, and decide nothing")
  func viewsHoldNoLogic() throws {
    let views = repository.files(in: "App/Views", endings: [".swift"])
    #expect(views.count >= 4)
    for path in views {
      for (number, line) in zip(1..., try lines(of: path)) where !line.contains("///") {
        if line.hasPrefix("import ") {
          #expect(["import SwiftUI", "import AppModel"].contains(line), "\(path) has \(line)")
        }
        for marker in line.matches(of: Self.logic) {
          Issue.record("\(path):\(number) has `\(marker.output)`")
        }
      }
    }
  }

  /// What would decide, fail, count, keep or fetch something. A `switch` over a model's state picks what to show.
  private static var logic: Regex<Substring> {
    /\b(?:guard|try|catch|throw|while|repeat|for|return|URLSession|UserDefaults|FileManager|JSON\w*|print|Date)\b|\?\?| (?:&&|\|\||==|!=|<|>|\+|-|\*|\/) |\.(?:hasPrefix|hasSuffix|isEmpty|count)\b/
  }

  @Test("texts grow with the person's setting, colours follow light and dark, and images say what they mean")
  func accessibility() throws {
    for path in repository.files(in: "App/Views", endings: [".swift"]) {
      let text = try repository.text(path)
      for fixed in [
        ".system(size:", "fixedSize", "lineLimit", "minimumScaleFactor", "Color(red:", "Color(white:",
        "#colorLiteral",
      ] {
        #expect(!text.contains(fixed), "\(path) has \(fixed)")
      }
      for match in text.matches(of: /Image\([^\n]*/) {
        #expect(match.output.contains("accessibility"), "\(path): \(match.output) is silent in VoiceOver")
      }
    }
  }

  @Test("what the kit has on Apple's systems alone is declared for the type check as the kit declares it")
  func appleOnlyDeclarations() throws {
    let stubs = try repository.text("App/TypeCheck/Stubs/AppleOnlyKit.swift")
    for type in ["KeychainSessionStore", "KeychainUndeliveredTokensStore", "URLSessionHTTPClient"] {
      let stub = try #require(stubs.firstMatch(of: try Regex("struct \(type): (\\w+)")))
      let files = repository.files(in: "Sources/PayPulseKit", endings: [".swift"])
      let declarations = try files.compactMap { path in
        try repository.text(path).firstMatch(
          of: try Regex("public (?:final class|struct) \(type): ([\\w, ]+)"))
      }
      let declaration = try #require(declarations.first, "the kit has no \(type)")
      #expect(declaration.output[1].substring?.contains(stub.output[1].substring ?? "?") == true)
    }
  }

  @Test("adapters never revoke a grant: the server may be reading mail with it")
  func neverDisconnect() throws {
    for path in repository.appSources() {
      for line in try lines(of: path) where !line.contains("//") {
        #expect(!line.contains("sharedInstance.disconnect"), "\(path)")
        #expect(line.firstMatch(of: /GIDSignIn[^\n]*disconnect/) == nil, "\(path)")
      }
    }
  }

  @Test("nothing on the device names a client secret, or has a place for one")
  func noClientSecret() throws {
    let files =
      repository.files(in: "Sources/PayPulseKit", endings: [".swift"])
      + repository.files(in: "Sources/AppModel", endings: [".swift"])
      + repository.files(
        in: "App", endings: [".swift", ".yml", ".xcconfig", ".plist", ".xcprivacy", ".xcstrings"])
    #expect(files.count > 40)
    for path in files {
      let match = try repository.text(path).firstMatch(of: /(?i)client_?secret|GOCSPX/)
      #expect(match == nil, "\(path) has \(String(describing: match?.output))")
    }
  }
}
