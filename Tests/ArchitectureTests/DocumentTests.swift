import Foundation
import Testing

@Suite("What the documents say")
struct DocumentTests {
  private let tree = SourceTree()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: tree.root.appending(path: path), encoding: .utf8)
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: tree.root.appending(path: path).path)
  }

  @Test("every file that a document links to is there", arguments: ["README.md", "docs/one-request.md"])
  func links(document: String) throws {
    let folder = document.contains("/") ? String(document.prefix { $0 != "/" }) : "."
    let links = try text(document).matches(of: /\]\(([^)#]+)\)/).map { String($0.1) }.filter {
      !$0.hasPrefix("http")
    }
    #expect(!links.isEmpty)
    for link in links { #expect(exists(folder + "/" + link), "\(document) links to \(link)") }
  }

  @Test("the one request goes through six files, and each hands on to the next")
  func oneRequest() throws {
    let files = try text("docs/one-request.md").matches(of: /\n\d\. \[`([^`]+)`\]/).map { String($0.1) }
    #expect(files.count == 6)
    // What each file has to name, so that a reader finds the next.
    let handsOn = ["respond", "postGmailTokens", "connectGmail", "vault", "func update", "update"]
    for (file, name) in zip(files, handsOn) {
      #expect(try text(file).contains(name), "\(file) does not name \(name)")
    }
  }

  @Test("every case of the groups A to H has a line, and a test that it names mentions the case")
  func cases() throws {
    let rows = try text("docs/cases.md").matches(of: /\n\| ([A-H]\d+) \| (.+) \|/).map {
      (String($0.1), String($0.2))
    }
    let known = """
      A3 A7 A8 A9 A10 A11 A12 B1 B2 B3 B6 B7 B9 B10 B11 B13 B15 C2 C3 C9 D2 D5 D6 E1 E2 E3 E5 E6 E7 E8
      F1 F2 F3 F6 G2 G3 G4 G6 H2 H6 H7 H12 H14 H19
      """
    #expect(rows.map(\.0) == known.split { $0 == " " || $0 == "\n" }.map(String.init))
    for (id, place) in rows {
      let name = try Regex("[^a-z0-9]\(id.lowercased())[^a-z0-9]")
      for path in place.matches(of: /`([^`]+\.(?:swift|py))`/).map({ String($0.1) }) {
        #expect(try text(path).lowercased().contains(name), "\(path) names no \(id)")
      }
    }
  }
}
