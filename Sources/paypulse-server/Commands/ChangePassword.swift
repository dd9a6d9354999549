import API
import Domain
import Primitives

/// `set-password EMAIL`: the new password comes from standard input, never from an argument.
struct ChangePassword {
  let assembly: Assembly
  let terminal: Terminal

  func callAsFunction(email: String) async -> Int32 {
    guard let password = terminal.readSecret(prompt: "New password for \(email): ") else {
      terminal.complain("Give the new password on standard input.")
      return 2
    }
    let setPassword = SetPassword(
      users: assembly.backend.users, passwords: assembly.backend.passwords, time: .system)
    do throws(SetPassword.Refusal) {
      try await setPassword(password, email: email)
      terminal.print("The password of \(email) is changed, and every session of theirs has ended.")
      return 0
    } catch {
      switch error {
      case .unknownUser: terminal.complain("There is no account with the address \(email).")
      case .invalidPassword: terminal.complain("A password is 8 to 72 bytes long.")
      case .failed: terminal.complain("The database gave no answer; the password is the old one. Try again.")
      }
      return 1
    }
  }
}
