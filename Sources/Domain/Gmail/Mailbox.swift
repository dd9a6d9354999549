import Primitives

/// A person's Gmail mailbox, always addressed as `me`: another address in the path is refused by Google.
package protocol Mailbox: Sendable {
  /// The mailbox's address and size.
  func profile(_ token: GoogleAccessToken) async throws(GoogleError) -> MailboxProfile
  /// The newest message; nil when the mailbox is empty.
  func newestMessage(_ token: GoogleAccessToken) async throws(GoogleError) -> GmailMessage?
}

/// What `users.getProfile` says.
package struct MailboxProfile: Sendable, Hashable {
  /// The mailbox's address.
  package let emailAddress: String
  /// How many messages it has.
  package let messagesTotal: Int64

  /// A profile.
  package init(emailAddress: String, messagesTotal: Int64) {
    self.emailAddress = emailAddress
    self.messagesTotal = messagesTotal
  }
}

/// One message's headline.
package struct GmailMessage: Sendable, Hashable {
  /// When the mailbox received it.
  package let receivedAt: Timestamp
  /// Its `From` header.
  package let sender: String
  /// Its `Subject` header.
  package let subject: String

  /// A message.
  package init(receivedAt: Timestamp, sender: String, subject: String) {
    self.receivedAt = receivedAt
    self.sender = sender
    self.subject = subject
  }
}
