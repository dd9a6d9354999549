import PayPulseKit
import Primitives
import WireModels

extension CommandContext {
  /// `paypulse signup`.
  func signUp(email: String?, name: String?) async throws(CommandFailure) {
    let server = try await server()
    let email = try await answer(email, "E-mail: ", option: "--email")
    let name = try await answer(name, "Name: ", option: "--name")
    let password = try await newPassword()
    let session: Session
    do { session = try await lifecycle(server).signUp(email: email, name: name, password: password) } catch {
      throw Explanation.failure(error, server: server)
    }
    await remember(server)
    terminal.data(Self.data(of: session))
    terminal.say("Welcome, \(session.username). You are signed in at \(server).")
    terminal.note("Next: paypulse connect-gmail --google-client-id ID")
  }

  /// `paypulse login`.
  func signIn(email: String?) async throws(CommandFailure) {
    let server = try await server()
    let email = try await answer(email, "E-mail: ", option: "--email")
    guard let password = await terminal.askSecretly("Password: "), !password.isEmpty else {
      throw Self.noPassword
    }
    let session: Session
    do { session = try await lifecycle(server).signIn(email: email, password: password) } catch {
      throw Explanation.failure(error, server: server)
    }
    await remember(server)
    await deliverPending(session)
    terminal.data(Self.data(of: session))
    terminal.say("Welcome back, \(session.username). You are signed in at \(server).")
  }

  /// `paypulse logout`. Sessions are not kept at the server, so it is not asked.
  func signOut(forgetting: Bool) async throws(CommandFailure) {
    guard let session = try await keptSession() else {
      // A file that holds no session may still hold something: signing out leaves nothing behind.
      do {
        if forgetting { try await undelivered.removeAll() }
        try await sessions.remove()
      } catch { throw Explanation.failure(error) }
      terminal.data([:])
      return terminal.say("You were not signed in.")
    }
    do { try await lifecycle(session.server).signOut(session, forgetting: forgetting) } catch {
      throw Explanation.failure(error, server: session.server)
    }
    terminal.data([:])
    terminal.say("You are signed out.")
  }

  /// The reply's data. The token itself is shown to nobody: it is in the session file.
  private static func data(of session: Session) -> JSONValue {
    [
      "username": .string(session.username), "access_token": .string(session.token.description),
      "token_type": "Bearer",
    ]
  }

  private func answer(_ given: String?, _ question: String, option: String) async throws(CommandFailure)
    -> String
  {
    if let given { return given }
    guard terminal.isInteractive else {
      throw CommandFailure("\(option) is missing, and there is no terminal to ask at.", status: .usage)
    }
    guard let answer = await terminal.ask(question), !answer.isEmpty else {
      throw CommandFailure("\(option) is needed.", status: .usage)
    }
    return answer
  }

  private func newPassword() async throws(CommandFailure) -> Secret {
    guard let password = await terminal.askSecretly("Password: "), !password.isEmpty else {
      throw Self.noPassword
    }
    if terminal.isInteractive {
      guard await terminal.askSecretly("The same again: ") == password else {
        throw CommandFailure("The two passwords differ.", status: .usage)
      }
    }
    return password
  }

  private static let noPassword = CommandFailure(
    "No password was given: type it at the prompt, or pipe it in on one line.", status: .usage)
}
