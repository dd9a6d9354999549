import Primitives

/// What an emulator starts with, and returns to at a reset.
package struct EmulatorConfiguration: Sendable {
  /// A message that lies in a mailbox from the start.
  package struct SeedMessage: Sendable {
    /// The mailbox's address.
    package let email: String
    /// The message as RFC 5322 bytes.
    package let raw: [UInt8]
    /// When it arrived, for a message whose own headers do not say.
    package let arrival: Timestamp

    /// A message.
    package init(email: String, raw: [UInt8], arrival: Timestamp) {
      self.email = email
      self.raw = raw
      self.arrival = arrival
    }
  }

  /// The clients of the one emulated Cloud project.
  package var clients: [OAuthClient]
  /// The accounts that can sign in.
  package var accounts: [Account]
  /// The messages in their mailboxes.
  package var messages: [SeedMessage]
  /// The account for which the authorization endpoint consents by itself; nil shows the page.
  package var autoConsent: String?

  /// A configuration.
  package init(
    clients: [OAuthClient] = [], accounts: [Account] = [], messages: [SeedMessage] = [],
    autoConsent: String? = nil
  ) {
    self.clients = clients
    self.accounts = accounts
    self.messages = messages
    self.autoConsent = autoConsent
  }

  /// Where the clients are treated unlike Google would, in sentences for the person who started this.
  package var notices: [String] {
    clients.compactMap { client in
      switch client.kind {
      case .desktop where client.secret == nil:
        "the desktop client \(client.id) has no secret, so none is asked for; Google would ask."
      case .web where client.secret == nil:
        "the web client \(client.id) has no secret, so it cannot use the token endpoint."
      default: nil
      }
    }
  }
}
