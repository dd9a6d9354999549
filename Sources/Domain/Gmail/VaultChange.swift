import Primitives

/// What to change; whatever is not mentioned stays.
package struct VaultChange: Sendable {
  /// What becomes of the secret.
  package enum SecretChange: Sendable {
    /// It stays.
    case keep
    /// These tokens take its place, and end what was set aside. A value that does not open is set aside first.
    indirect case put(OAuthTokens)
    /// It goes. A value that does not open is set aside, unless this change discards what is aside.
    case remove
    /// It leaves its name at that moment and is kept aside; nothing happens where there is none.
    case setAside(at: Timestamp, because: ConnectionReason)
    /// What is aside is the secret again, its grant under the name that it had; nothing happens where there is
    /// a secret, or nothing aside.
    case restoreAside
  }
  /// What becomes of the connection record.
  package enum RecordChange: Sendable {
    /// It stays.
    case keep
    /// This takes its place.
    indirect case put(GmailConnection)
    /// It is forgotten.
    case forget
  }

  /// What becomes of the secret.
  package var secret: SecretChange = .keep
  /// What becomes of the record.
  package var connection: RecordChange = .keep
  /// Whether everything set aside for this user before this change is destroyed.
  package var discardsAsides = false
  /// A token to queue for revocation.
  package var revocation: RevocationOrder?
  /// That what is aside before this change is queued for revocation.
  package var asideRevocation: AsideRevocation?

  /// No change.
  package static let none = VaultChange()
  /// A change.
  package init(
    secret: SecretChange = .keep, connection: RecordChange = .keep, discardsAsides: Bool = false,
    revocation: RevocationOrder? = nil, asideRevocation: AsideRevocation? = nil
  ) {
    self.secret = secret
    self.connection = connection
    self.discardsAsides = discardsAsides
    self.revocation = revocation
    self.asideRevocation = asideRevocation
  }
}

/// That the grant which is set aside is let go of: the vault makes the order of the tokens, which it alone can
/// read, by ``OAuthTokens/revocationOrder(id:now:baseURL:)``; none where there is nothing to revoke.
package struct AsideRevocation: Sendable, Hashable {
  /// Names the order.
  package let id: String
  /// Since when it is owed.
  package let queuedAt: Timestamp
  /// The Google that tokens come from which do not say it.
  package let googleBaseURL: String

  /// A revocation of what is aside.
  package init(id: String, queuedAt: Timestamp, googleBaseURL: String) {
    self.id = id
    self.queuedAt = queuedAt
    self.googleBaseURL = googleBaseURL
  }
}
