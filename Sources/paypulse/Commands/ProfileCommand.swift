import PayPulseKit
import Primitives
import WireModels

extension CommandContext {
  /// `paypulse me`.
  func showProfile() async throws(CommandFailure) {
    let session = try await session()
    await deliverPending(session)
    let profile: ProfileData
    do { profile = try await api(session.server).profile(session) } catch {
      throw Explanation.failure(error, server: session.server)
    }
    terminal.data(JSONValue(encoding: profile))
    terminal.say(
      """
      Name:          \(profile.name)
      E-mail:        \(profile.email)
      Member since:  \(Self.day(profile.createdOn))
      Gmail:         \(Self.words(profile))
      """)
    if let advice = Self.advice(profile) { terminal.say(advice) }
  }

  /// `paypulse disconnect-gmail`.
  func disconnectGmail() async throws(CommandFailure) {
    let session = try await session()
    let data: GmailDisconnectData?
    do {
      data = try await api(session.server).disconnectGmail(session)
      // What still waits for delivery would connect again what was just let go of.
      try? await undelivered.remove(UndeliveredTokens.Owner(session))
    } catch { throw Explanation.failure(error, server: session.server) }
    terminal.data(data.map { JSONValue(encoding: $0) } ?? [:])
    switch data?.revoked {
    case .revoked: terminal.say("Gmail is disconnected, and Google has withdrawn the permission.")
    case .pending:
      terminal.say(
        "Gmail is disconnected. Google cannot be reached; the server withdraws the permission later.")
    case .notRevoked, nil: terminal.say("Gmail is disconnected.")
    }
  }

  private static func day(_ moment: String) -> String {
    Timestamp(iso8601: moment) == nil ? moment : String(moment.prefix(10))
  }

  private static func words(_ profile: ProfileData) -> String {
    guard let connection = profile.gmailConnection else {
      return profile.gmailAccountConnected ? "connected" : "not connected"
    }
    let mailbox = connection.googleEmail.map { " as \($0)" } ?? ""
    switch connection.status {
    case .connected: return "connected" + mailbox
    case .limited:
      return "connected" + mailbox
        + (connection.worksUntil.map { ", until \($0) only" } ?? ", for a short while only")
    case .blocked: return "blocked for \(connection.googleEmail ?? "this account")"
    case .needsReconnect:
      return "no longer connected" + mailbox + (connection.reason.map { " (\($0))" } ?? "")
    case .notConnected: return "not connected"
    default: return connection.status.rawValue + mailbox
    }
  }

  private static func advice(_ profile: ProfileData) -> String? {
    let connect = "paypulse connect-gmail --google-client-id ID"
    guard let connection = profile.gmailConnection else {
      return profile.gmailAccountConnected ? nil : "Connect it with: \(connect)"
    }
    switch connection.status {
    case .notConnected: return "Connect it with: \(connect)"
    case .needsReconnect: return "PayPulse can no longer read this mailbox. Connect it again with: \(connect)"
    case .limited: return "Google gave no lasting permission. Connect again with: \(connect)"
    case .blocked:
      return "An administrator or a policy of Google's refuses at present; the server keeps trying."
    default: return nil
    }
  }
}
