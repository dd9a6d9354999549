import Foundation

/// The repository's own sources, read as text.
struct SourceTree {
  struct File {
    let path: String
    let lines: [Substring]

    /// The modules that the file imports, whatever stands before or after the name.
    var imports: [String] {
      lines.compactMap { line in
        var words = line.split(separator: " ")
        while let first = words.first,
          first.hasPrefix("@") || ["public", "package", "internal", "private"].contains(first)
        {
          words.removeFirst()
        }
        guard words.first == "import", words.count > 1 else { return nil }
        let name =
          ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"].contains(words[1])
          ? words[2] : words[1]
        return String(name.split(separator: ".")[0])
      }
    }
  }

  let root: URL

  init() {
    root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// The names of the folders in `folder`.
  func folders(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: folder), includingPropertiesForKeys: [.isDirectoryKey]
    )
    .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory ?? false }.map(
      \.lastPathComponent)
  }

  /// Every file under `folder` that ends in one of `endings`.
  func files(in folder: String, endings: [String] = [".swift"]) throws -> [File] {
    let top = root.appending(path: folder)
    let paths = FileManager.default.enumerator(atPath: top.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { path in endings.contains { path.hasSuffix($0) } && !path.contains("__pycache__")
    }.map { path in
      let text = try String(contentsOf: top.appending(path: path), encoding: .utf8)
      return File(
        path: folder + "/" + path, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  /// The modules that each module imports itself.
  func imports(of module: String) throws -> Set<String> {
    Set(try files(in: "Sources/" + module).flatMap(\.imports))
  }
}
