import Foundation
import Testing

@Suite("The kit's documentation")
struct DocumentationTests {
  private let repository = Repository()

  @Test("docc builds it without a warning")
  func builds() async throws {
    let output = FileManager.default.temporaryDirectory.appending(path: "docs-\(UUID())")
    defer { try? FileManager.default.removeItem(at: output) }
    let outcome = try await repository.run("scripts/documentation.sh", output.path)
    #expect(outcome.status == 0, "\(outcome.output)")
    let page = output.appending(path: "data/documentation/paypulsekit.json")
    #expect(FileManager.default.fileExists(atPath: page.path))
  }

  @Test("every public symbol of PayPulseKit is documented, and every type has its topic")
  func everySymbol() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let target = try JSONDecoder().decode(
      TargetInfo.self, from: Data(try await repository.run("swiftc", "-print-target-info").output.utf8))
    let outcome = try await repository.run(
      "swift-symbolgraph-extract", "-module-name", "PayPulseKit", "-I", repository.modules.path,
      "-target", target.target.unversionedTriple, "-output-dir", folder.path,
      "-minimum-access-level", "public")
    #expect(outcome.status == 0, "\(outcome.output)")
    let graph = try JSONDecoder().decode(
      SymbolGraph.self, from: Data(contentsOf: folder.appending(path: "PayPulseKit.symbols.json")))
    #expect(graph.symbols.count > 100)
    let page = try repository.text("Sources/PayPulseKit/PayPulseKit.docc/PayPulseKit.md")
    for symbol in graph.symbols {
      let name = symbol.pathComponents.joined(separator: ".")
      #expect(symbol.docComment != nil, "\(name) has no doc comment")
      // What stands beside its own kind in the documentation's list of topics.
      if symbol.pathComponents.count == 1 { #expect(page.contains("- ``\(name)``"), "\(name) has no topic") }
    }
  }

  @Test("the first example is the code that Tests/EndToEndTests runs, and has ten lines")
  func firstExample() throws {
    let page = try repository.text("Sources/PayPulseKit/PayPulseKit.docc/PayPulseKit.md")
    let shown = try #require(page.firstMatch(of: /```swift\n([^`]+)```/)).1
    let source = try repository.text("Tests/EndToEndTests/FirstExample.swift")
    let run = try #require(source.firstMatch(of: /\/\/ snippet.begin\n([\s\S]+?) *\/\/ snippet.end/)).1
    let dedented = run.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.trimmingPrefix("    ")
    }
    #expect(String(shown) == dedented.joined(separator: "\n"))
    #expect(shown.split(separator: "\n").count == 10)
  }

  private struct TargetInfo: Decodable {
    let target: Target
    struct Target: Decodable { let unversionedTriple: String }
  }

  private struct SymbolGraph: Decodable {
    let symbols: [Symbol]
    struct Symbol: Decodable {
      let pathComponents: [String]
      let docComment: DocComment?
    }
    struct DocComment: Decodable {}
  }
}
