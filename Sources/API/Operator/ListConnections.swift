import Domain
import Primitives

/// `connections`: every user and how their connection stands. No secret is opened for it.
package struct ListConnections: Sendable {
  private let vault: any TokenVault
  private let time: TimeSource

  /// Lists those of `vault`.
  package init(vault: any TokenVault, time: TimeSource = .system) {
    self.vault = vault
    self.time = time
  }

  /// A line for each user, columns apart by tabs.
  package func callAsFunction() async throws(StoreError) -> OperatorReport {
    let now = time.now()
    var report = OperatorReport.done(
      "EMAIL\tSTATUS\tREASON\tGOOGLE ACCOUNT\tCONNECTED AT\tLAST REFRESHED AT")
    for profile in try await vault.connections() {
      let connection = profile.connection
      let columns = [
        profile.user.email, (connection?.status(at: now) ?? .notConnected).rawValue,
        connection?.reason(at: now)?.rawValue, connection?.account.email, connection?.connectedAt.iso8601,
        connection?.lastRefreshedAt?.iso8601,
      ]
      report.output.append(
        columns.map { $0.flatMap { $0.isEmpty ? nil : $0 } ?? "-" }.joined(separator: "\t"))
    }
    return report
  }
}
