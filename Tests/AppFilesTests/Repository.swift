import Foundation

/// The repository that this test was built from.
struct Repository {
  let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The text of the file at `path`.
  func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// Every file under `folder` that ends in one of `endings`, by its path.
  func files(in folder: String, endings: [String]) -> [String] {
    let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    return (found?.compactMap { $0 as? String } ?? [])
      .filter { path in endings.contains { path.hasSuffix($0) } }
      .map { folder + "/" + $0 }.sorted()
  }

  /// The app's own Swift: all of it that is not a stub for the type check.
  func appSources() -> [String] {
    files(in: "App", endings: [".swift"]).filter { !$0.hasPrefix("App/TypeCheck/") }
  }

  /// The modules that were built together with this test.
  var modules: URL {
    URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "Modules")
  }
}

/// What a program said and how it ended.
struct Outcome {
  let status: Int32
  let output: String
}

extension Repository {
  /// Runs the program named first, at the repository's root, with the built modules in `PAYPULSE_MODULES`.
  func run(_ command: String...) async throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = root
    process.environment = ProcessInfo.processInfo.environment.merging(["PAYPULSE_MODULES": modules.path]) {
      _, new in new
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    // Reading and waiting block, so both happen on a thread of their own.
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        continuation.resume(
          returning: Outcome(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self)))
      }
    }
  }
}
