import PayPulseKit
import WireModels

extension CommandContext {
  /// Delivers what an earlier connect could not, and says so. The command that is under way goes on in any case.
  func deliverPending(_ session: Session) async {
    do throws(ConnectError) {
      switch try await delivery(session.server).deliverPending(in: session) {
      case nil: break
      case .connected(let data)?:
        terminal.note(
          "Delivered the tokens that were kept from an earlier connect: \(data.googleEmail) is connected.")
      case .mailPermissionMissing?:
        terminal.note(
          "An earlier connect lacks the permission to read mail. Connect again: paypulse connect-gmail")
      }
    } catch {
      terminal.note(
        "An earlier connect is not finished: " + Explanation.failure(error, server: session.server).message)
    }
  }

  /// `paypulse _deliver-redirect`: hands the browser's redirect to the command that waits for it; when that is
  /// gone, finishes what it began.
  func deliverRedirect(_ redirect: String) async throws(CommandFailure) {
    if await RedirectPipe.send(redirect, to: directory.redirectPipe) { return }
    let session = try await session()
    let outcome: ConnectOutcome?
    do { outcome = try await delivery(session.server).resume(redirect: redirect, in: session) } catch {
      throw Explanation.failure(error, server: session.server)
    }
    guard let outcome else {
      throw CommandFailure("Nothing waits for this answer. Connect again with: paypulse connect-gmail")
    }
    try report(outcome)
  }
}
