import Domain
import Primitives

/// `connections restore EMAIL`: what was set aside gets its name back.
package struct RestoreAside: Sendable {
  private let restore: RestoreConnection

  /// Restores in `vault`.
  package init(users: any UserStore, vault: any TokenVault, time: TimeSource = .system) {
    restore = RestoreConnection(users: users, vault: vault, time: time)
  }

  /// Says whether it is back.
  package func callAsFunction(email: String) async -> OperatorReport {
    do throws(RestoreConnection.Refusal) {
      try await restore(email: email)
      return .done("The connection of \(email) is back. Its next use shows whether Google still honours it.")
    } catch {
      return .failed(Self.explain(error, email: email))
    }
  }

  private static func explain(_ refusal: RestoreConnection.Refusal, email: String) -> String {
    switch refusal {
    case .unknownUser: "There is no account with the address \(email)."
    case .stillConnected: "\(email) is connected: there is nothing to restore."
    case .nothingAside: "Nothing usable is kept aside for \(email): they have to connect again."
    case .store: "The database gave no answer; nothing was changed. Try again."
    }
  }
}
