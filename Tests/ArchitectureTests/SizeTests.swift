import Testing

@Suite("The size of files")
struct SizeTests {
  @Test("no file has over 500 lines", arguments: ["Sources", "Tests", "acceptance", "scripts", "benchmarks"])
  func largest(folder: String) throws {
    for file in try SourceTree().files(in: folder, endings: [".swift", ".py", ".sh", ".h"]) {
      #expect(file.lines.count <= 501, "\(file.path) has \(file.lines.count - 1) lines")
    }
  }

  @Test("no folder or file has a name that says nothing")
  func names() throws {
    for file in try SourceTree().files(in: "Sources") {
      // AWS Secrets Manager is called so.
      let path = file.path.replacing("SecretsManager", with: "")
      for empty in ["Util", "Helper", "Manager", "Common", "Impl"] {
        #expect(!path.contains(empty), "\(file.path)")
      }
    }
  }
}
