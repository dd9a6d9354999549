import Domain
import Primitives

/// `set-password EMAIL`: a new password, and the end of every session.
package struct ChangePassword: Sendable {
  private let setPassword: SetPassword

  /// Changes passwords in `users`.
  package init(users: any UserStore, passwords: any PasswordHashing, time: TimeSource = .system) {
    setPassword = SetPassword(users: users, passwords: passwords, time: time)
  }

  /// Says whether it is changed.
  package func callAsFunction(_ password: Secret, email: String) async -> OperatorReport {
    do throws(SetPassword.Refusal) {
      try await setPassword(password, email: email)
      return .done("The password of \(email) is changed, and every session of theirs has ended.")
    } catch {
      return .failed(Self.explain(error, email: email))
    }
  }

  private static func explain(_ refusal: SetPassword.Refusal, email: String) -> String {
    switch refusal {
    case .unknownUser: "There is no account with the address \(email)."
    case .invalidPassword: "A password is 8 to 72 bytes long."
    case .failed: "The database gave no answer; the password is the old one. Try again."
    }
  }
}
