import Domain
import Primitives

/// `check-connection EMAIL`: asks for a valid access token, N times at once, each with a mailbox call of its own.
package struct CheckConnection: Sendable {
  private let users: any UserStore
  private let openMailbox: OpenMailbox
  private let mailbox: any Mailbox
  private let patience: Duration
  private let time: TimeSource

  /// Checks with the tokens of `openMailbox`. A refresh that takes its time is waited for, up to `patience`.
  package init(
    users: any UserStore, openMailbox: OpenMailbox, mailbox: any Mailbox, patience: Duration,
    time: TimeSource
  ) {
    self.users = users
    self.openMailbox = openMailbox
    self.mailbox = mailbox
    self.patience = patience
    self.time = time
  }

  /// The mailbox's address and size, when all `concurrent` attempts succeed.
  package func callAsFunction(email: String, concurrent: Int, showsLatest: Bool) async throws(StoreError)
    -> OperatorReport
  {
    guard let user = try await users.user(withEmail: EmailAddress(lookingUp: email)) else {
      return .failed("There is no account with the address \(email).")
    }
    let results = await withTaskGroup(of: Result<OpenMailbox.Opened, OpenMailbox.Refusal>.self) { group in
      for _ in 0..<concurrent { group.addTask { await open(user.id) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let opened = results.compactMap { try? $0.get() }
    for result in results {
      guard case .failure(let refusal) = result else { continue }
      return .failed("\(results.count - opened.count) of \(concurrent) failed: \(Self.explain(refusal))")
    }
    guard let first = opened.first else { return .failed("Nothing was asked for.") }
    var report = OperatorReport.done("\(first.profile.emailAddress): \(first.profile.messagesTotal) messages")
    if showsLatest { await showLatest(first.token, &report) }
    return report
  }

  /// Like any client that is told to come again, this one does: a slow refresh goes on meanwhile.
  private func open(_ user: UserID) async -> Result<OpenMailbox.Opened, OpenMailbox.Refusal> {
    let start = time.now()
    while true {
      do throws(OpenMailbox.Refusal) { return .success(try await openMailbox(user)) } catch {
        guard case .token(.temporarilyUnavailable(let pause)) = error, time.now() - start < patience,
          !Task.isCancelled
        else { return .failure(error) }
        try? await time.sleep(min(pause, .seconds(1)))
      }
    }
  }

  private func showLatest(_ token: GoogleAccessToken, _ report: inout OperatorReport) async {
    do throws(GoogleError) {
      guard let message = try await mailbox.newestMessage(token) else {
        report.output.append("The mailbox is empty.")
        return
      }
      report.output.append(
        "newest: \(message.receivedAt.iso8601)\t\(Self.printable(message.sender))\t\(Self.printable(message.subject))"
      )
    } catch {
      report.status = 1
      report.complaints.append("The newest message could not be read: \(Self.explain(.google(error)))")
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
