import Primitives

/// What the outcome of a refresh does to the store. The result is written only if the grant is the same and
/// the fencing number is still the newest; a late success may revive what a newer flight took for dead.
extension RefreshGrant {
  private static let mostWrites = 5
  private static let writePause: Duration = .milliseconds(250)

  // MARK: Success

  /// Returns nil where the result was dropped, so that the flight looks at what is stored instead.
  func succeed(_ flight: Flight, _ reply: TokenReply, clientID: GoogleClientID, began: Timestamp)
    async throws(TokenRefusal) -> Landing?
  {
    let now = time.now()
    let isWritten = try await write(flight, reply, clientID: clientID, at: now)
    alerts.clear(.clientRefused(clientID))
    alerts.clear(.grantRefused(clientID), of: flight.user)
    // The token is stored; a count that fails must not cost the caller what is theirs.
    do throws(StoreError) { try await deaths.noteSuccess(of: flight.user) } catch {
      alerts.note(.refreshNotCounted)
    }
    guard isWritten else { return nil }
    return Landing(
      token: reply.accessToken, expiresAt: now + .seconds(reply.expiresIn), refreshedAt: began)
  }

  /// Whether the result was written; false where it is to be dropped.
  private func write(_ flight: Flight, _ reply: TokenReply, clientID: GoogleClientID, at now: Timestamp)
    async throws(TokenRefusal) -> Bool
  {
    let baseURL = configuration.baseURL
    var attempt = 0
    while true {
      do throws(TokenRefusal) {
        return try await update(flight.user) { stored in
          guard stored.takesSuccess(of: flight, reply) else { return (.none, false) }
          let change = stored.refreshed(by: reply, of: flight, clientID: clientID, baseURL: baseURL, at: now)
          return (change, true)
        }
      } catch {
        // Nobody else has a token that Google put in the old one's place: it is worth a few more tries.
        guard error == .store(.unavailable), reply.refreshToken != nil, attempt < Self.mostWrites else {
          throw error
        }
        try? await time.sleep(Self.writePause * (1 << attempt))
        attempt += 1
      }
    }
  }

  // MARK: Failure

  /// Returns nil where the flight should look again, because what it used is no longer what is stored.
  func fail(_ flight: Flight, _ error: GoogleError, clientID: GoogleClientID) async throws(TokenRefusal)
    -> Landing?
  {
    switch error {
    case .refused(.invalidGrant(let rapt)):
      return try await die(flight, because: rapt ? .invalidRAPT : .invalidGrant)
    case .refused(.adminPolicyEnforced): return try await block(flight, because: .adminPolicyEnforced)
    case .refused(.accessDenied): return try await block(flight, because: .accessDenied)
    case .refused(.clientMisconfigured):
      alerts.raise(.clientRefused(clientID), of: flight.user)
      throw .operatorFault
    case .refused(.unauthorizedClient):
      alerts.raise(.grantRefused(clientID), of: flight.user)
      throw .operatorFault
    case .unavailable(let retryAfter):
      throw .temporarilyUnavailable(retryAfter: retryAfter ?? TokenSource.retryAfter)
    case .invalidToken, .insufficientScope:
      throw .temporarilyUnavailable(retryAfter: TokenSource.retryAfter)
    }
  }

  private func die(_ flight: Flight, because reason: ConnectionReason) async throws(TokenRefusal) -> Landing?
  {
    // After a re-read that shows another token, or a newer flight, this was a lost race and no death.
    let stored = try await read(flight.user)
    guard stored.isStill(flight) else { return nil }
    let isBelieved = try await believes(stored, user: flight.user)
    let now = time.now()
    let isStill = try await update(flight.user) { stored in
      guard stored.isStill(flight) else { return (.none, false) }
      return (stored.dying(flight, at: now, because: reason, isBelieved: isBelieved), true)
    }
    guard isStill else { return nil }
    guard isBelieved else { throw .temporarilyUnavailable(retryAfter: .seconds(60)) }
    throw .needsReconnect(reason)
  }

  private func believes(_ stored: VaultSnapshot, user: UserID) async throws(TokenRefusal) -> Bool {
    if stored.connection?.isOnProbation ?? false { return true }
    do throws(StoreError) { return try await deaths.isBelieved(of: user) } catch { throw .store(error) }
  }

  private func block(_ flight: Flight, because reason: ConnectionReason) async throws(TokenRefusal)
    -> Landing?
  {
    let isStill = try await update(flight.user) { stored in
      guard stored.isStill(flight), var record = stored.ownRecord else { return (.none, false) }
      record.recordedStatus = .blocked
      record.reason = reason
      return (VaultChange(connection: .put(record)), true)
    }
    guard isStill else { return nil }
    throw .blocked(reason)
  }
}

extension VaultSnapshot {
  /// Whether `flight` is the newest, and what it used is what is stored.
  func isStill(_ flight: Flight) -> Bool {
    lease?.fence == flight.lease.fence && secret.grantID == flight.grantID
      && secret.tokens?.refreshToken == flight.used.refreshToken
  }

  /// Whether the success of `flight` is to be written.
  func takesSuccess(of flight: Flight, _ reply: TokenReply) -> Bool {
    let isSameGrant = secret.grantID == flight.grantID
    if isSameGrant, lease?.fence == flight.lease.fence { return true }
    // A process that was stopped while Google rotated the token comes late, and yet it alone has the new one:
    // what is stored is still what it used, and dead by now. A newer flight in the air loses nothing; its
    // `invalid_grant` is then a lost race, and its success is written over this one.
    if isSameGrant, reply.refreshToken != nil, secret.tokens?.refreshToken == flight.used.refreshToken {
      return true
    }
    guard let connection, let dead = connection.deadFence, dead > flight.lease.fence else { return false }
    if isSameGrant { return true }
    return !secret.hasTokens && connection.grantID == flight.grantID
      && connection.recordedStatus == .needsReconnect
  }

  /// The change after a success.
  func refreshed(
    by reply: TokenReply, of flight: Flight, clientID: GoogleClientID, baseURL: String, at now: Timestamp
  ) -> VaultChange {
    // What is stored now: an upload without a refresh token may have come since the flight took off.
    let tokens = (secret.tokens ?? flight.used).refreshed(
      by: reply, over: flight, at: now, clientID: clientID, baseURL: baseURL)
    let record = ownRecord?.refreshed(by: reply, tokens, at: now, user: flight.user)
    return VaultChange(secret: .put(tokens), connection: record.map { .put($0) } ?? .keep)
  }

  /// The change after an `invalid_grant`: the secret leaves its name at once, unless the death is doubted.
  func dying(_ flight: Flight, at now: Timestamp, because reason: ConnectionReason, isBelieved: Bool)
    -> VaultChange
  {
    guard var record = ownRecord else { return .none }
    record.grantID = flight.grantID
    record.deadFence = flight.lease.fence
    return isBelieved
      ? Self.losingItsSecret(record, at: now, because: reason) : VaultChange(connection: .put(record))
  }

  /// The change that sets the secret aside; identity and times stay on the record.
  package func losingItsSecret(at now: Timestamp, because reason: ConnectionReason) -> VaultChange {
    let record =
      ownRecord
      ?? GmailConnection(
        account: GoogleAccount(subject: GoogleSubject(""), email: "", name: "", emailVerified: false),
        recordedStatus: .needsReconnect, scopes: GrantedScopes(""), connectedAt: now, accessExpiresAt: now,
        grantID: GrantID(""))
    return Self.losingItsSecret(record, at: now, because: reason)
  }

  private static func losingItsSecret(
    _ record: GmailConnection, at now: Timestamp, because reason: ConnectionReason
  ) -> VaultChange {
    var record = record
    record.recordedStatus = .needsReconnect
    record.reason = reason
    record.nextUseAt = nil
    record.isOnProbation = false
    record.lastUpload = nil
    return VaultChange(secret: .setAside(at: now, because: reason), connection: .put(record))
  }

  /// The change that puts what was set aside back in its place; none where something is in the way.
  package func restoringAside(at now: Timestamp, onProbation: Bool) -> VaultChange {
    guard case .none = secret, let aside, var record = connection, aside.account.isSame(as: record.account)
    else { return .none }
    // The record has kept the rest of what is to be known of that grant.
    record.recordedStatus = aside.isRefreshable ? .connected : .limited
    record.reason = nil
    record.isOnProbation = onProbation
    record.nextUseAt = aside.isRefreshable ? now : nil
    return VaultChange(secret: .restoreAside, connection: .put(record))
  }
}

extension OAuthTokens {
  /// These tokens after a refresh: the reply's refresh token when it has one, else ours.
  func refreshed(
    by reply: TokenReply, over flight: Flight, at now: Timestamp, clientID: GoogleClientID, baseURL: String
  ) -> OAuthTokens {
    var tokens = self
    tokens.accessToken = reply.accessToken
    tokens.refreshToken = reply.refreshToken ?? flight.used.refreshToken
    tokens.expiresIn = reply.expiresIn
    tokens.expiresAt = now + .seconds(reply.expiresIn)
    tokens.scopes = reply.scopes ?? scopes
    tokens.writtenAt = now
    tokens.clientID = clientID
    tokens.googleBaseURL = baseURL
    tokens.grantID = flight.grantID
    tokens.fence = flight.lease.fence
    return tokens
  }
}

extension GmailConnection {
  /// This record after a refresh that worked.
  func refreshed(by reply: TokenReply, _ tokens: OAuthTokens, at now: Timestamp, user: UserID)
    -> GmailConnection
  {
    var record = self
    record.recordedStatus = .connected
    record.reason = nil
    record.scopes = tokens.scopes
    record.lastRefreshedAt = now
    record.accessExpiresAt = tokens.expiresAt
    record.grantExpiresAt = reply.refreshTokenExpiresIn.map { now + .seconds($0) } ?? grantExpiresAt
    record.nextUseAt = SweepGrants.nextUse(of: user, after: now)
    record.deadFence = nil
    record.isOnProbation = false
    return record
  }
}
