import Glibc

/// Measures one thing within this process, and prints how often a second it was done:
/// `vault-writes FILE`, `token-reads FILE`, `session-checks`, `hmac`.
@main
struct BenchmarksProgram {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let rate: Double
    switch (arguments.first, arguments.dropFirst().first) {
    case ("vault-writes", let path?): rate = try await VaultWrites(path: path).perSecond()
    case ("token-reads", let path?): rate = try await TokenReads(path: path).perSecond()
    case ("session-checks", nil): rate = try SessionChecks().perSecond()
    case ("hmac", nil): rate = SessionChecks.hmacPerSecond()
    default:
      print("usage: paypulse-benchmarks vault-writes FILE | token-reads FILE | session-checks | hmac")
      exit(2)
    }
    print(rate)
  }
}
