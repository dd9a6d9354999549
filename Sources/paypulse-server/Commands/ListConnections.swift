import Domain
import Primitives

/// Lists every user and how their connection stands. No secret is opened for it.
struct ListConnections {
  let assembly: Assembly
  let terminal: Terminal

  func callAsFunction() async throws -> Int32 {
    let now = TimeSource.system.now()
    terminal.print("EMAIL\tSTATUS\tREASON\tGOOGLE ACCOUNT\tCONNECTED AT\tLAST REFRESHED AT")
    for profile in try await assembly.vault.connections() {
      let connection = profile.connection
      let columns = [
        profile.user.email, (connection?.status(at: now) ?? .notConnected).rawValue,
        connection?.reason(at: now)?.rawValue, connection?.account.email, connection?.connectedAt.iso8601,
        connection?.lastRefreshedAt?.iso8601,
      ]
      terminal.print(columns.map { $0.flatMap { $0.isEmpty ? nil : $0 } ?? "-" }.joined(separator: "\t"))
    }
    return 0
  }
}
