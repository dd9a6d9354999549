import PayPulseKit
import Primitives
import WireModels

extension GmailConnectionModel {
  /// How the connection to Gmail stands.
  public enum State: Sendable, Hashable {
    /// The server has not said yet.
    case unknown
    /// Never connected, or disconnected.
    case notConnected
    /// Google's page is open, or its answer is on the way.
    case connecting
    /// Mail can be read, and the connection renews itself. An older server tells no address.
    case connected(address: String?)
    /// Mail can be read until then, where the server says when; ``MessageKey/limitedAccess`` says what to do.
    case limited(address: String?, until: Timestamp?)
    /// Google refuses at present, for the administrator's sake.
    case blocked(address: String?, why: Message)
    /// The connection is dead.
    case needsReconnect(address: String?, why: Message, whatToDo: Message)
    /// Connected, to another mailbox than before. Stays until ``acknowledgeSwitch()``.
    case switched(from: String?, to: String, warning: Message)
    /// Google has granted, and the server is to be told. `problem` says why it does not know yet; nil while it is
    /// being told. Goes on by itself with ``resume()``.
    case delivering(problem: Message?)
    /// It did not work, and nothing is under way. ``retry()`` does what can be done.
    case failed(Message, canRetry: Bool)
  }

  /// What is shown of the connection whatever else happens: follows `gmail_account_connected` alone.
  public enum Display: Sendable, Hashable {
    /// The server has not said, or something has happened since.
    case unknown
    /// *Connect Gmail*.
    case connectButton
    /// The connected mailbox; nil where the server does not tell its address.
    case connectedAddress(String?)
  }
}

extension GmailConnectionModel.State {
  /// What a profile says. `gmail_account_connected` decides, and `gmail_connection` only says more of it.
  init(_ profile: ProfileData) {
    let connection = profile.gmailConnection
    let address = connection?.googleEmail
    switch (profile.gmailAccountConnected, connection?.status) {
    case (true, .limited?):
      self = .limited(
        address: address, until: connection?.worksUntil.flatMap { Timestamp(iso8601: $0) })
    case (true, .blocked?): self = .blocked(address: address, why: Message(.blockedByAdministrator))
    case (true, _): self = .connected(address: address)
    case (false, .needsReconnect?):
      let (why, whatToDo) = Self.advice(connection?.reason)
      self = .needsReconnect(address: address, why: Message(why), whatToDo: Message(whatToDo))
    case (false, _): self = .notConnected
    }
  }

  private static func advice(_ reason: ErrorReason?) -> (why: MessageKey, whatToDo: MessageKey) {
    switch reason {
    case .accessExpired?: (.accessEnded, .reconnect)
    case .invalidGrant?: (.grantWithdrawn, .reconnect)
    case .invalidRAPT?: (.organisationAsksAgain, .reconnectAndAskAdministrator)
    case .unreadable?: (.connectionUnreadable, .reconnect)
    default: (.connectionBroken, .reconnect)
    }
  }

  /// What a receipt with `account_switch` says. The address before is the server's word, or what its sentence says
  /// (older servers have only `Switching from A to B`), or what was shown before.
  init(switchedBy data: GmailTokensData, shown: String?) {
    let before = data.previousGoogleEmail ?? Self.addressBefore(data) ?? shown
    self = .switched(
      from: before, to: data.googleEmail,
      warning: before.map { Message(.switched, $0, data.googleEmail) }
        ?? Message(.switchedFromUnknown, data.googleEmail))
  }

  private static func addressBefore(_ data: GmailTokensData) -> String? {
    let (start, end) = ("Switching from ", " to " + data.googleEmail)
    guard data.message.hasPrefix(start), data.message.hasSuffix(end) else { return nil }
    let address = data.message.dropFirst(start.count).dropLast(end.count)
    return address.contains("@") ? String(address) : nil
  }
}
