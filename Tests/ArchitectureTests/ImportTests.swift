import Testing

@Suite("The arrows between modules")
struct ImportTests {
  private let tree = SourceTree()

  /// What each module may import of ours; everything may import `Primitives`.
  private static let allowed: [String: Set<String>] = [
    "Primitives": [],
    "WireModels": [],
    "HTTP": [],
    "HTTPServer": ["HTTP", "CLinux", "CLibssl"],
    "Curl": ["HTTP", "CCurl"],
    "Cryptography": ["CLibcrypto", "CCrypt"],
    "Domain": [],
    "API": ["Domain", "WireModels", "HTTP", "Cryptography"],
    "Google": ["Domain", "HTTP", "Cryptography"],
    "SQLite": ["Domain", "Cryptography", "CSQLite"],
    "AWS": ["Domain", "HTTP", "Cryptography"],
    "PayPulseKit": ["WireModels", "HTTP"],
    "AppModel": ["PayPulseKit", "WireModels"],
    "GoogleEmulator": ["HTTP", "Cryptography"],
    "paypulse-server": [
      "API", "Google", "SQLite", "AWS", "Curl", "HTTPServer", "Domain", "WireModels", "HTTP", "Cryptography",
    ],
    "paypulse-lambda": ["API", "Google", "AWS", "Curl", "Domain", "WireModels", "HTTP", "Cryptography"],
    "paypulse": ["PayPulseKit", "Curl", "Cryptography", "WireModels", "HTTP", "HTTPServer"],
    "google-emulator": ["GoogleEmulator", "HTTPServer", "HTTP"],
  ]
  private static let toolchain: Set<String> = [
    "Glibc", "Musl", "Darwin", "Dispatch", "Synchronization", "FoundationEssentials", "Security",
    "Observation",
  ]
  private static let systemLibraries: Set<String> = [
    "CLinux", "CLibssl", "CLibcrypto", "CCrypt", "CCurl", "CSQLite",
  ]

  @Test("each module imports only what the table allows")
  func table() throws {
    for (module, allowed) in Self.allowed {
      for file in try tree.files(in: "Sources/" + module) {
        let strangers = Set(file.imports).subtracting(allowed).subtracting(Self.toolchain).subtracting([
          "Primitives", "Foundation",
        ])
        #expect(strangers.isEmpty, "\(file.path) imports \(strangers.sorted())")
      }
    }
  }

  @Test("every folder of Sources is in the table")
  func completeness() throws {
    let folders = Set(try tree.folders(in: "Sources"))
    #expect(folders == Set(Self.allowed.keys).union(Self.systemLibraries))
  }

  @Test("what must not reach another module does not reach it through a third")
  func transitive() throws {
    let adapters: Set<String> = ["HTTPServer", "Curl", "Google", "SQLite", "AWS"]
    let forbidden: [String: Set<String>] = [
      "API": adapters,
      "Domain": ["HTTP", "WireModels", "Cryptography"],
      "PayPulseKit": ["Domain"],
      "GoogleEmulator": ["Google", "Domain"],
      "HTTPServer": adapters, "Curl": adapters, "Google": adapters, "SQLite": adapters,
      "AWS": adapters, "AppModel": adapters.union(["Domain", "API"]),
    ]
    for (module, unreachable) in forbidden {
      let reached = try reachable(from: module).subtracting([module])
      #expect(reached.isDisjoint(with: unreachable), "\(module) reaches \(reached.intersection(unreachable))")
    }
  }

  private func reachable(from module: String) throws -> Set<String> {
    var reached: Set<String> = []
    var open = [module]
    while let next = open.popLast() {
      guard Self.allowed[next] != nil, reached.insert(next).inserted else { continue }
      open += try tree.imports(of: next)
    }
    return reached
  }

  @Test("a C library is imported by its one wrapper")
  func systemLibraries() throws {
    for library in Self.systemLibraries {
      let importers = try Self.allowed.keys.filter { try tree.imports(of: $0).contains(library) }
      #expect(importers.count <= 1, "\(library) is imported by \(importers.sorted())")
    }
  }

  /// On Apple's systems Foundation has no essentials of its own, so that a file may import it there.
  @Test("all of Foundation stays out of the sources: its essentials are enough")
  func foundation() throws {
    for file in try tree.files(in: "Sources") where file.imports.contains("Foundation") {
      let isForApple = file.lines.contains { line in
        ["#if canImport(FoundationEssentials)", "#if canImport(Security)"].contains(line)
      }
      #expect(isForApple && file.path.hasPrefix("Sources/PayPulseKit/"), "\(file.path)")
    }
    for file in try tree.files(in: "Sources") { #expect(!file.imports.contains("FoundationNetworking")) }
  }
}
