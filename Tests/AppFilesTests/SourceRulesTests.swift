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
        for marker in Self.logic where line.contains(marker) {
          Issue.record("\(path):\(number) has `\(marker)`")
        }
      }
    }
  }

  /// What would decide, fail, count, keep or fetch something. A `switch` over a model's state picks what to show.
  private static let logic = [
    "guard ", "try", "catch", "throw", "while ", "repeat ", " && ", " || ", " == ", " != ", " < ", " > ", " + ",
    " - ", " * ", "??", "URLSession", "UserDefaults", "Keychain", "FileManager", "JSON", "print(", "Date(",
    ".hasPrefix", ".hasSuffix", ".isEmpty", ".count",
  ]

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
      + repository.files(in: "App", endings: [".swift", ".yml", ".xcconfig", ".plist", ".xcprivacy", ".xcstrings"])
    #expect(files.count > 40)
    for path in files {
      let match = try repository.text(path).firstMatch(of: /(?i)client_?secret|GOCSPX/)
      #expect(match == nil, "\(path) has \(String(describing: match?.output))")
    }
  }
}
