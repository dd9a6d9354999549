// swift-tools-version: 6.2
import PackageDescription

// The modules and the arrows between them. `Tests/ArchitectureTests` holds the imports against
// this table; docs/decisions/ says why it is drawn so.

/// C libraries from Debian, each imported by exactly one Swift module.
let systemLibraries: [Target] = [
  .systemLibrary(name: "CLinux", path: "Sources/CLinux"),
  .systemLibrary(
    name: "CLibssl", path: "Sources/CLibssl", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
  .systemLibrary(
    name: "CLibcrypto", path: "Sources/CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
  .systemLibrary(
    name: "CCrypt", path: "Sources/CCrypt", pkgConfig: "libcrypt", providers: [.apt(["libcrypt-dev"])]),
  .systemLibrary(
    name: "CCurl", path: "Sources/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
  .systemLibrary(
    name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
]

let libraries: [Target] = [
  .target(name: "Primitives"),
  .target(name: "WireModels", dependencies: ["Primitives"]),
  .target(name: "HTTP", dependencies: ["Primitives"]),
  .target(name: "HTTPServer", dependencies: ["HTTP", "Primitives", "CLinux", "CLibssl"]),
  .target(name: "Curl", dependencies: ["HTTP", "Primitives", "CCurl"]),
  .target(name: "Cryptography", dependencies: ["Primitives", "CLibcrypto", "CCrypt"]),
  .target(name: "Domain", dependencies: ["Primitives"]),
  .target(name: "API", dependencies: ["Domain", "WireModels", "HTTP", "Cryptography", "Primitives"]),
  .target(name: "Google", dependencies: ["Domain", "HTTP", "Cryptography", "Primitives"]),
  .target(name: "SQLite", dependencies: ["Domain", "Cryptography", "Primitives", "CSQLite"]),
  .target(name: "PayPulseKit", dependencies: ["WireModels", "HTTP", "Primitives"]),
  .target(name: "AWS", dependencies: ["Domain", "HTTP", "Cryptography", "Primitives"]),
  .target(name: "AppModel", dependencies: ["PayPulseKit", "WireModels", "Primitives"]),
  .target(name: "GoogleEmulator", dependencies: ["HTTP", "Cryptography", "Primitives"]),
  .target(
    name: "TestSupport", dependencies: ["Domain", "HTTP", "WireModels", "Primitives"],
    path: "Tests/TestSupport"),
]

let executables: [Target] = [
  .executableTarget(
    name: "paypulse-server",
    dependencies: [
      "API", "Google", "SQLite", "AWS", "Curl", "HTTPServer", "Domain", "WireModels", "HTTP", "Cryptography",
      "Primitives",
    ]),
  .executableTarget(
    name: "paypulse-lambda",
    dependencies: [
      "API", "Google", "AWS", "Curl", "Domain", "WireModels", "HTTP", "Cryptography", "Primitives",
    ]),
  .executableTarget(
    name: "paypulse",
    dependencies: ["PayPulseKit", "Curl", "Cryptography", "WireModels", "HTTPServer", "HTTP", "Primitives"]),
  .executableTarget(
    name: "google-emulator", dependencies: ["GoogleEmulator", "HTTPServer", "HTTP", "Primitives"]),
  // What `make bench` measures within one process; it is no part of the product.
  .executableTarget(
    name: "paypulse-benchmarks", dependencies: ["SQLite", "Domain", "Cryptography", "Primitives"],
    path: "benchmarks/InProcess"),
]

let tests: [Target] = [
  .testTarget(name: "ArchitectureTests"),
  .testTarget(name: "PrimitivesTests", dependencies: ["Primitives"]),
  .testTarget(name: "WireModelsTests", dependencies: ["WireModels", "Primitives"]),
  .testTarget(name: "HTTPTests", dependencies: ["HTTP", "Primitives"]),
  .testTarget(
    name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTP", "Curl", "Primitives", "TestSupport"]),
  .testTarget(name: "CurlTests", dependencies: ["Curl", "HTTP", "HTTPServer", "Primitives"]),
  .testTarget(name: "CryptographyTests", dependencies: ["Cryptography", "Primitives"]),
  .testTarget(name: "DomainTests", dependencies: ["Domain", "TestSupport", "Primitives"]),
  .testTarget(
    name: "SQLiteTests", dependencies: ["SQLite", "Domain", "Cryptography", "TestSupport", "Primitives"]),
  .testTarget(
    name: "GoogleTests",
    dependencies: ["Google", "Domain", "HTTP", "Cryptography", "TestSupport", "Primitives"]),
  .testTarget(
    name: "APITests",
    dependencies: ["API", "Domain", "WireModels", "HTTP", "Cryptography", "TestSupport", "Primitives"]),
  .testTarget(
    name: "GoogleEmulatorTests", dependencies: ["GoogleEmulator", "HTTP", "Cryptography", "Primitives"]),
  .testTarget(
    name: "PayPulseKitTests",
    dependencies: ["PayPulseKit", "WireModels", "HTTP", "Cryptography", "TestSupport", "Primitives"],
    exclude: ["Golden"]),
  .testTarget(
    name: "AWSTests",
    dependencies: ["AWS", "Curl", "Domain", "HTTP", "Cryptography", "TestSupport", "Primitives"]),
  .testTarget(
    name: "LambdaTests",
    dependencies: [
      "paypulse-lambda", "AWS", "API", "Domain", "HTTP", "Cryptography", "TestSupport", "Primitives",
    ]),
  .testTarget(
    name: "AppModelTests",
    dependencies: [
      "AppModel", "PayPulseKit", "WireModels", "HTTP", "Curl", "Cryptography", "API", "Google", "Domain",
      "GoogleEmulator", "HTTPServer", "TestSupport", "Primitives",
    ]),
  .testTarget(name: "AppFilesTests", dependencies: ["AppModel", "PayPulseKit"]),
  .testTarget(name: "PayPulseCommandTests", dependencies: ["paypulse", "PayPulseKit", "HTTP", "Primitives"]),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "API", "Google", "SQLite", "Domain", "WireModels", "HTTP", "HTTPServer", "Curl", "Cryptography",
      "PayPulseKit",
      "GoogleEmulator", "TestSupport", "Primitives", "paypulse-server",
    ]),
]

let package = Package(
  name: "PayPulse",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "PayPulseKit", targets: ["PayPulseKit"]),
    .library(name: "AppModel", targets: ["AppModel"]),
  ],
  targets: systemLibraries + libraries + executables + tests,
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
