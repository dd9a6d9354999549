import Domain
import Primitives

/// `connections restore EMAIL`.
struct RestoreAside {
  let assembly: Assembly
  let terminal: Terminal

  func callAsFunction(email: String) async -> Int32 {
    let restore = RestoreConnection(users: assembly.users, vault: assembly.vault, time: .system)
    do throws(RestoreConnection.Refusal) {
      try await restore(email: email)
      terminal.print(
        "The connection of \(email) is back. Its next use shows whether Google still honours it.")
      return 0
    } catch {
      switch error {
      case .unknownUser: terminal.complain("There is no account with the address \(email).")
      case .stillConnected: terminal.complain("\(email) is connected: there is nothing to restore.")
      case .nothingAside:
        terminal.complain("Nothing usable is kept aside for \(email): they have to connect again.")
      case .store: terminal.complain("The database gave no answer; nothing was changed. Try again.")
      }
      return 1
    }
  }
}
