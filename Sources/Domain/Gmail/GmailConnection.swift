import Primitives

/// How a connection stands (DESIGN 3.3).
package enum ConnectionStatus: String, Sendable, Hashable, Codable {
  /// Never connected, or disconnected.
  case notConnected = "not_connected"
  /// There is a refresh token.
  case connected
  /// There is an access token only; it works until it ends.
  case limited
  /// A Workspace admin or a policy refuses at present.
  case blocked
  /// The grant is dead or unreadable: the person has to connect again.
  case needsReconnect = "needs_reconnect"
}

/// Why a connection is `blocked` or `needs_reconnect`.
package enum ConnectionReason: String, Sendable, Hashable, Codable {
  /// The access token of a `limited` connection has ended.
  case accessExpired = "access_expired"
  /// Google no longer honours the refresh token: revoked, unused for six months, password changed….
  case invalidGrant = "invalid_grant"
  /// A Workspace session rule asks the person to sign in again (`error_subtype` of `invalid_grant`).
  case invalidRAPT = "invalid_rapt"
  /// The stored value holds no usable tokens, or does not open.
  case unreadable
  /// A Workspace admin does not allow this app.
  case adminPolicyEnforced = "admin_policy_enforced"
  /// Google refuses this account or client at present.
  case accessDenied = "access_denied"
}

/// What is known about a connection without opening its secret: no token is in it.
package struct GmailConnection: Sendable, Hashable {
  /// Whose mailbox it is; kept while the connection needs a reconnect, so that a switch is still noticed.
  package var account: GoogleAccount
  /// How it stands; see ``status(at:)`` for the moment's answer.
  package var recordedStatus: ConnectionStatus
  /// Why, when it does not work.
  package var reason: ConnectionReason?
  /// The scopes that Google granted.
  package var scopes: GrantedScopes
  /// When this account was connected.
  package var connectedAt: Timestamp
  /// When Google last gave a fresh access token for it.
  package var lastRefreshedAt: Timestamp?
  /// When the access token ends.
  package var accessExpiresAt: Timestamp
  /// When Google will end a time-limited grant (`refresh_token_expires_in`); nil when it did not say.
  package var grantExpiresAt: Timestamp?
  /// The grant that it stands on.
  package var grantID: GrantID
  /// When the sweep uses the grant next, so that a dead one is known within a day; nil without a refresh token.
  package var nextUseAt: Timestamp?
  /// The fencing number of the newest refresh that ended in `invalid_grant`; nil when none did since the last success.
  package var deadFence: Int64?
  /// Restored after a wave of deaths and not yet tried: the next `invalid_grant` is believed at once.
  package var isOnProbation: Bool
  /// The last stored upload and what was answered to it.
  package var lastUpload: RememberedUpload?

  /// A connection record.
  package init(
    account: GoogleAccount, recordedStatus: ConnectionStatus, reason: ConnectionReason? = nil,
    scopes: GrantedScopes, connectedAt: Timestamp, lastRefreshedAt: Timestamp? = nil,
    accessExpiresAt: Timestamp,
    grantExpiresAt: Timestamp? = nil, grantID: GrantID, nextUseAt: Timestamp? = nil, deadFence: Int64? = nil,
    isOnProbation: Bool = false, lastUpload: RememberedUpload? = nil
  ) {
    self.account = account
    self.recordedStatus = recordedStatus
    self.reason = reason
    self.scopes = scopes
    self.connectedAt = connectedAt
    self.lastRefreshedAt = lastRefreshedAt
    self.accessExpiresAt = accessExpiresAt
    self.grantExpiresAt = grantExpiresAt
    self.grantID = grantID
    self.nextUseAt = nextUseAt
    self.deadFence = deadFence
    self.isOnProbation = isOnProbation
    self.lastUpload = lastUpload
  }

  /// How it stands at `now`: a limited connection is over at the very moment its access token ends.
  package func status(at now: Timestamp) -> ConnectionStatus {
    isSpent(at: now) ? .needsReconnect : recordedStatus
  }

  /// Why it does not work at `now`; nil when it does.
  package func reason(at now: Timestamp) -> ConnectionReason? { isSpent(at: now) ? .accessExpired : reason }

  /// Whether the secret counts as existing at `now`: the contract's `gmail_account_connected`.
  package func isConnected(at now: Timestamp) -> Bool {
    switch status(at: now) {
    case .connected, .limited, .blocked: true
    case .notConnected, .needsReconnect: false
    }
  }

  /// Until when it works without the person; nil when no end is known.
  package func worksUntil(at now: Timestamp) -> Timestamp? {
    switch status(at: now) {
    case .limited: accessExpiresAt
    case .connected, .blocked: grantExpiresAt
    case .notConnected, .needsReconnect: nil
    }
  }

  private func isSpent(at now: Timestamp) -> Bool { recordedStatus == .limited && accessExpiresAt <= now }
}

/// The last stored upload: an HMAC of its tokens, and the reply that a repeat of it gets.
package struct RememberedUpload: Sendable, Hashable {
  /// Keyed digest of the uploaded tokens.
  package let fingerprint: [UInt8]
  /// What was answered.
  package let reply: ConnectReply

  /// An upload to remember.
  package init(fingerprint: [UInt8], reply: ConnectReply) {
    self.fingerprint = fingerprint
    self.reply = reply
  }
}

/// What connecting answers.
package struct ConnectReply: Sendable, Hashable {
  /// The connected account's address.
  package let googleEmail: String
  /// The granted scopes as one text, those of the upload first.
  package let scope: String
  /// The address of the account that was connected before, when this is another.
  package let previousGoogleEmail: String?
  /// What kind of connection this was.
  package let kind: Kind

  /// How the account compares with the one that was stored.
  package enum Kind: String, Sendable, Hashable {
    /// None was stored.
    case first
    /// The same.
    case same
    /// Another.
    case switched
  }

  /// A reply.
  package init(googleEmail: String, scope: String, previousGoogleEmail: String?, kind: Kind) {
    self.googleEmail = googleEmail
    self.scope = scope
    self.previousGoogleEmail = previousGoogleEmail
    self.kind = kind
  }
}
