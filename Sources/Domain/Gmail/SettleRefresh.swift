import Primitives

/// What the outcome of a refresh does to the store. The result is written only if the grant is the same and
/// the fencing number is still the newest; a late success may revive what a newer flight took for dead.
extension RefreshGrant {
  // MARK: Success

  /// Returns nil where the result was dropped, so that the flight looks at what is stored instead.
  func succeed(_ flight: Flight, _ reply: TokenReply, clientID: GoogleClientID, began: Timestamp)
    async throws(TokenRefusal) -> Landing?
  {
    let now = time.now()
    let fresh = flight.used.refreshed(
      by: reply, at: now, fence: flight.lease.fence, grantID: flight.grantID, clientID: clientID,
      baseURL: configuration.baseURL)
    let isWritten = try await update(flight.user) { stored in
      guard stored.takesSuccess(of: flight) else { return (.none, false) }
      let record = stored.connection?.refreshed(by: reply, fresh, at: now, user: flight.user)
      let change = VaultChange(
        secret: .put(fresh), connection: record.map { .put($0) } ?? .keep,
        discardsAsides: stored.secret.tokens == nil)
      return (change, true)
    }
    alerts.clear(.operatorFault)
    alerts.clear(.grantOfAnotherConfiguration)
    // The token is stored; a count that fails must not cost the caller what is theirs.
    do throws(StoreError) { try await deaths.noteSuccess(of: flight.user) } catch {
      alerts.note(.refreshNotCounted)
    }
    guard isWritten else { return nil }
    return Landing(token: fresh.accessToken, expiresAt: fresh.expiresAt, refreshedAt: began)
  }

  // MARK: Failure

  /// Returns nil where the flight should look again, because what it used is no longer what is stored.
  func fail(_ flight: Flight, _ error: GoogleError) async throws(TokenRefusal) -> Landing? {
    switch error {
    case .refused(.invalidGrant(let rapt)):
      return try await die(flight, because: rapt ? .invalidRAPT : .invalidGrant)
    case .refused(.adminPolicyEnforced): return try await block(flight, because: .adminPolicyEnforced)
    case .refused(.accessDenied): return try await block(flight, because: .accessDenied)
    case .refused(.clientMisconfigured), .refused(.unauthorizedClient):
      alerts.raise(.operatorFault)
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
      guard stored.isStill(flight), var record = stored.connection else { return (.none, false) }
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
  func takesSuccess(of flight: Flight) -> Bool {
    guard let newest = lease?.fence else { return false }
    if secret.grantID == flight.grantID {
      // A process that was stopped while Google rotated the token comes late, and yet it alone has the new one.
      return newest == flight.lease.fence || connection?.deadFence == newest
    }
    guard secret.tokens == nil, let connection, connection.grantID == flight.grantID else { return false }
    return connection.recordedStatus == .needsReconnect && connection.deadFence != nil
  }

  /// The change after an `invalid_grant`: the secret leaves its name at once, unless the death is doubted.
  func dying(_ flight: Flight, at now: Timestamp, because reason: ConnectionReason, isBelieved: Bool)
    -> VaultChange
  {
    guard var record = connection else { return .none }
    record.deadFence = flight.lease.fence
    guard isBelieved else { return VaultChange(connection: .put(record)) }
    var copy = self
    copy.connection = record
    return copy.losingItsSecret(at: now, because: reason)
  }

  /// The change that sets the secret aside; identity and times stay on the record.
  func losingItsSecret(at now: Timestamp, because reason: ConnectionReason) -> VaultChange {
    var record =
      connection
      ?? GmailConnection(
        account: GoogleAccount(subject: GoogleSubject(""), email: "", name: "", emailVerified: false),
        recordedStatus: .needsReconnect, scopes: GrantedScopes(""), connectedAt: now, accessExpiresAt: now,
        grantID: GrantID(""))
    record.recordedStatus = .needsReconnect
    record.reason = reason
    record.nextUseAt = nil
    record.isOnProbation = false
    record.lastUpload = nil
    return VaultChange(secret: .setAside(at: now, because: reason), connection: .put(record))
  }

  /// The change that puts the newest value set aside back in its place; none where something is in the way.
  package func restoringAside(at now: Timestamp, onProbation: Bool) -> VaultChange {
    guard case .none = secret, let aside, var record = connection else { return .none }
    record.recordedStatus = aside.tokens.refreshToken == nil ? .limited : .connected
    record.reason = nil
    record.isOnProbation = onProbation
    record.nextUseAt = aside.tokens.refreshToken == nil ? nil : now
    return VaultChange(secret: .put(aside.tokens), connection: .put(record), discardsAsides: true)
  }
}

extension OAuthTokens {
  /// These tokens after a refresh: the reply's refresh token when it has one, else ours.
  func refreshed(
    by reply: TokenReply, at now: Timestamp, fence: Int64, grantID: GrantID, clientID: GoogleClientID,
    baseURL: String
  ) -> OAuthTokens {
    var tokens = self
    tokens.accessToken = reply.accessToken
    tokens.refreshToken = reply.refreshToken ?? refreshToken
    tokens.expiresIn = reply.expiresIn
    tokens.expiresAt = now + .seconds(reply.expiresIn)
    tokens.scopes = reply.scopes ?? scopes
    tokens.writtenAt = now
    tokens.clientID = clientID
    tokens.googleBaseURL = baseURL
    tokens.grantID = grantID
    tokens.fence = fence
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
