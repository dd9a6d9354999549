import Primitives

/// What is stored for a user at one moment. An object, since it is handed on often, and a copy of all that is in it
/// would count dozens of references.
package final class VaultSnapshot: Sendable {
  /// The connection record; nil when there is none.
  package let connection: GmailConnection?
  /// The secret.
  package let secret: StoredSecret
  /// The newest lease ever taken on the connection, live or not.
  package let lease: RefreshLease?
  /// What is set aside and can be restored; looked up only while there is no secret.
  package let aside: AsideSecret?
  /// The revocation mark of the account that `update` was asked about.
  package let revocation: RevocationMark?

  /// A snapshot.
  package init(
    connection: GmailConnection?, secret: StoredSecret, lease: RefreshLease? = nil, aside: AsideSecret? = nil,
    revocation: RevocationMark? = nil
  ) {
    self.connection = connection
    self.secret = secret
    self.lease = lease
    self.aside = aside
    self.revocation = revocation
  }
}

extension VaultSnapshot {
  /// The record, or one made of the secret where an older backend wrote none beside it.
  package var ownRecord: GmailConnection? {
    if let connection { return connection }
    guard let tokens = secret.tokens, let grantID = secret.grantID else { return nil }
    return GmailConnection(
      account: tokens.account, recordedStatus: tokens.refreshToken == nil ? .limited : .connected,
      scopes: tokens.scopes, connectedAt: tokens.writtenAt, accessExpiresAt: tokens.expiresAt,
      grantID: grantID)
  }
}

/// The value under `gmail/user/{user_id}`.
package enum StoredSecret: Sendable {
  /// There is none.
  case none
  /// Usable tokens; a grant without an id of its own goes by its store version.
  // In a box: it is handed on often, and a copy would count a dozen references.
  indirect case tokens(OAuthTokens, grantID: GrantID)
  /// A value that holds no usable tokens, or does not open.
  case unusable

  /// The tokens, when there are usable ones.
  package var tokens: OAuthTokens? { if case .tokens(let tokens, _) = self { tokens } else { nil } }
  /// Whether there are usable tokens.
  package var hasTokens: Bool { if case .tokens = self { true } else { false } }
  /// The account whose tokens they are, when there are usable ones.
  package var holder: GoogleSubject? {
    if case .tokens(let tokens, _) = self { tokens.account.subject } else { nil }
  }
  /// The grant's name, when there are usable tokens.
  package var grantID: GrantID? { if case .tokens(_, let grantID) = self { grantID } else { nil } }
}

/// What is known, without opening it, of a secret that was set aside: a store may keep it where it can only be
/// restored, not read.
package struct AsideSecret: Sendable, Hashable {
  /// Whose tokens they are.
  package let account: GoogleAccount
  /// Whether there is a refresh token among them.
  package let isRefreshable: Bool
  /// Since when it is aside.
  package let since: Timestamp

  /// A secret set aside.
  package init(account: GoogleAccount, isRefreshable: Bool, since: Timestamp) {
    self.account = account
    self.isRefreshable = isRefreshable
    self.since = since
  }
}

extension AsideSecret {
  /// What is known of `tokens`, aside since then.
  package init(_ tokens: OAuthTokens, since: Timestamp) {
    self.init(account: tokens.account, isRefreshable: tokens.refreshToken != nil, since: since)
  }
}
