import Primitives

/// An account as it is moved: user, connection record and tokens, in a form that is the same wherever it is kept.
///
/// What belongs to the place itself is left out: fencing numbers, which go with its leases. What an older backend did
/// not write is filled in: the name of the grant (its store version), and the record.
struct MovableAccount: Sendable {
  let user: User
  /// The record; nil for one who is not connected.
  let connection: GmailConnection?
  /// The tokens; nil without any that can be used.
  let tokens: OAuthTokens?
  /// Whether there is a value that does not open, or holds no usable tokens. It stays where it is, and so does what
  /// is known of it.
  let isUnreadable: Bool

  /// What is to be moved of `user`.
  init(_ user: User, _ stored: VaultSnapshot) {
    self.user = user
    if case .unusable = stored.secret { isUnreadable = true } else { isUnreadable = false }
    var tokens = stored.secret.tokens
    tokens?.grantID = stored.secret.grantID
    tokens?.fence = 0
    var connection = stored.ownRecord
    connection?.deadFence = nil
    if stored.connection == nil, let tokens, tokens.refreshToken != nil {
      // Nothing said when the grant is to be used: from now on it is, once a day.
      connection?.nextUseAt = SweepGrants.nextUse(of: user.id, after: tokens.expiresAt)
    }
    self.tokens = isUnreadable ? nil : tokens
    self.connection = isUnreadable ? nil : connection
  }

  /// Whether the connection, or that there is none, is the same as that of `other`.
  func hasSameConnection(as other: MovableAccount) -> Bool {
    connection == other.connection && tokens == other.tokens && isUnreadable == other.isUnreadable
  }

  // MARK: The form that is digested

  /// Equal for equal accounts, and for no others. It holds secrets: it is for digesting at once.
  var canonicalForm: [UInt8] {
    var members: [String: JSONValue] = ["user": .object(user.members), "unreadable": .bool(isUnreadable)]
    members["connection"] = connection.map { .object($0.members) }
    if var tokens {
      tokens.fence = 0
      members["tokens"] = JSONValue(json: tokens.json)
    }
    return JSONValue.object(members).serialized
  }
}

extension VaultSnapshot {
  /// Whether nothing was ever kept here for the user: then what is moved does not take the place of anything. A
  /// lease tells of a connection that was used here, and ended.
  var isUntouched: Bool {
    guard case .none = secret else { return false }
    return connection == nil && aside == nil && lease == nil
  }
}

extension User {
  fileprivate var members: [String: JSONValue] {
    [
      "id": .string(id.rawValue), "email": .string(email), "name": .string(name),
      "password": .string(passwordHash.expose()), "created_at": .integer(createdAt.microseconds),
      "sessions_valid_from": .integer(endOfSessions.microseconds),
    ]
  }

  /// Which sessions have ended; the beginning of time ends none, as no moment does.
  var endOfSessions: Timestamp { sessionsValidFrom ?? Timestamp(microseconds: 0) }
}

extension GmailConnection {
  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "account": .object(account.members), "status": .string(recordedStatus.rawValue),
      "scopes": .string(scopes.joined), "connected_at": .integer(connectedAt.microseconds),
      "access_expires_at": .integer(accessExpiresAt.microseconds), "grant_id": .string(grantID.rawValue),
      "on_probation": .bool(isOnProbation),
    ]
    members["reason"] = reason.map { .string($0.rawValue) }
    members["last_refreshed_at"] = lastRefreshedAt.map { .integer($0.microseconds) }
    members["grant_expires_at"] = grantExpiresAt.map { .integer($0.microseconds) }
    members["next_use_at"] = nextUseAt.map { .integer($0.microseconds) }
    members["last_upload"] = lastUpload.map { .object($0.members) }
    return members
  }
}

extension GoogleAccount {
  fileprivate var members: [String: JSONValue] {
    [
      "sub": .string(subject.rawValue), "email": .string(email), "name": .string(name),
      "email_verified": .bool(emailVerified),
    ]
  }
}

extension RememberedUpload {
  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = [
      "fingerprint": .array(fingerprint.map { .integer(Int64($0)) }),
      "google_email": .string(reply.googleEmail), "scope": .string(reply.scope),
      "kind": .string(reply.kind.rawValue),
    ]
    members["previous_google_email"] = reply.previousGoogleEmail.map { .string($0) }
    return members
  }
}
