import Domain
import Primitives

/// `check-connection EMAIL`: asks for a valid access token, N times at once, each with a mailbox call of its own.
struct CheckConnection {
  let assembly: Assembly
  let terminal: Terminal
  /// For how long a refresh that takes its time is waited for.
  private static let patience: Duration = .seconds(90)

  func callAsFunction(email: String, concurrent: Int, showsLatest: Bool) async throws -> Int32 {
    guard let user = try await assembly.users.user(withEmail: EmailAddress(lookingUp: email)) else {
      terminal.complain("There is no account with the address \(email).")
      return 1
    }
    let results = await withTaskGroup(of: Result<OpenMailbox.Opened, OpenMailbox.Refusal>.self) { group in
      for _ in 0..<concurrent { group.addTask { await open(user.id) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let opened = results.compactMap { try? $0.get() }
    for result in results {
      guard case .failure(let refusal) = result else { continue }
      terminal.complain("\(results.count - opened.count) of \(concurrent) failed: \(Self.explain(refusal))")
      return 1
    }
    guard let first = opened.first else { return 1 }
    terminal.print("\(first.profile.emailAddress): \(first.profile.messagesTotal) messages")
    return showsLatest ? await showLatest(first.token) : 0
  }

  /// Like any client that is told to come again, this one does: a slow refresh goes on meanwhile.
  private func open(_ user: UserID) async -> Result<OpenMailbox.Opened, OpenMailbox.Refusal> {
    let start = ContinuousClock.now
    while true {
      do throws(OpenMailbox.Refusal) { return .success(try await assembly.openMailbox(user)) } catch {
        guard case .token(.temporarilyUnavailable(let pause)) = error,
          ContinuousClock.now - start < Self.patience, !Task.isCancelled
        else { return .failure(error) }
        try? await Task.sleep(for: min(pause, .seconds(1)))
      }
    }
  }

  private func showLatest(_ token: GoogleAccessToken) async -> Int32 {
    do throws(GoogleError) {
      guard let message = try await assembly.mailbox.newestMessage(token) else {
        terminal.print("The mailbox is empty.")
        return 0
      }
      terminal.print(
        "newest: \(message.receivedAt.iso8601)\t\(Self.printable(message.sender))\t\(Self.printable(message.subject))"
      )
      return 0
    } catch {
      terminal.complain("The newest message could not be read: \(Self.explain(.google(error)))")
      return 1
    }
  }

  /// Mail is written by strangers: control characters would speak to the terminal.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : Character($0) })
  }

  private static func explain(_ refusal: OpenMailbox.Refusal) -> String {
    switch refusal {
    case .anotherAccount: "the stored token answers for another mailbox. Connect Gmail again."
    case .google(.invalidToken): "Gmail does not accept a fresh token. Connect Gmail again."
    case .google(.insufficientScope): "the permission to read mail is missing. Connect Gmail again."
    case .google(.refused(.adminPolicyEnforced)):
      "the administrator of that Google account does not allow it."
    case .google(.refused): "Google does not accept this server's client. Check the Google Cloud project."
    case .google(.unavailable): "Google cannot be reached, or asks to slow down. Try again."
    case .token(.notConnected): "Gmail is not connected."
    case .token(.needsReconnect(let reason)): "Gmail has to be connected again (\(reason.rawValue))."
    case .token(.blocked(let reason)):
      "Google refuses at present (\(reason.rawValue)). It is tried again with each use."
    case .token(.operatorFault):
      "the Google configuration does not fit this connection; it is kept. Check the flags."
    case .token(.temporarilyUnavailable): "Google gave no fresh token yet; the connection is kept. Try again."
    case .token(.store): "the database gave no answer. Try again."
    }
  }
}
