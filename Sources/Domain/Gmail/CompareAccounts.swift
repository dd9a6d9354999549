import Primitives

/// Decides what a proven upload makes of what is stored (DESIGN 3.1, rules 5 to 8). A pure function, so
/// that the store can run it inside its transaction.
package struct CompareAccounts: Sendable {
  /// What to do with the upload.
  package enum Decision: Sendable {
    /// Store it, and answer this.
    case store(ConnectReply)
    /// It is the last stored upload again: answer what was answered.
    case repeated(ConnectReply)
    /// The account is being revoked, or was since the proof: wait, then prove again.
    case proveAgain
  }

  let upload: UploadedTokens
  let proof: ProveTokens.Proof
  let fingerprint: [UInt8]
  /// When the proof began.
  let provedSince: Timestamp
  let now: Timestamp
  let newGrantID: GrantID
  let orderID: String
  let baseURL: String
  let nextUseAt: Timestamp

  /// Whether Google put another refresh token in the uploaded one's place, which is dead by now.
  var hasRotatedToken: Bool { proof.refreshToken != upload.refreshToken }

  /// The decision, and the change that carries it out.
  package func callAsFunction(_ stored: VaultSnapshot) -> (change: VaultChange, result: Decision) {
    if let reply = stored.repeats(fingerprint, at: now) { return (.none, .repeated(reply)) }
    if let mark = stored.revocation,
      mark.isRunning(at: now) || mark.casts(doubtOnProofAt: provedSince, seenAt: now)
    {
      return (.none, .proveAgain)
    }
    let tokens = tokensToStore(over: stored)
    let reply = reply(over: stored)
    let change = VaultChange(
      secret: .put(tokens), connection: .put(record(for: tokens, over: stored, reply: reply)),
      revocation: revocationOnSwitch(from: stored))
    return (change, .store(reply))
  }

  // MARK: Rule 5: compare by `sub`

  private func isSame(_ stored: VaultSnapshot) -> Bool {
    stored.knownAccount?.isSame(as: proof.account) ?? false
  }

  private func reply(over stored: VaultSnapshot) -> ConnectReply {
    let known = stored.knownAccount
    let kind: ConnectReply.Kind = known == nil ? .first : isSame(stored) ? .same : .switched
    return ConnectReply(
      googleEmail: proof.account.email, scope: proof.scopes.ordered(like: upload.scopes).joined,
      previousGoogleEmail: kind == .switched ? known?.email : nil, kind: kind)
  }

  // MARK: Rule 6: keep the stored refresh token for the same account, never for another

  private func tokensToStore(over stored: VaultSnapshot) -> OAuthTokens {
    // What was set aside is known to be dead: only a secret in its place is kept.
    let kept = isSame(stored) && proof.refreshToken == nil ? stored.secret.tokens : nil
    return OAuthTokens(
      accessToken: proof.accessToken, refreshToken: proof.refreshToken ?? kept?.refreshToken,
      expiresAt: now + .seconds(proof.expiresIn), expiresIn: proof.expiresIn, scopes: proof.scopes,
      writtenAt: now, account: proof.account,
      clientID: kept?.refreshToken == nil ? proof.clientID : kept?.clientID,
      googleBaseURL: kept?.refreshToken == nil ? baseURL : kept?.googleBaseURL,
      grantID: kept == nil ? newGrantID : stored.secret.grantID, fence: 0)
  }

  // MARK: Rule 7: what the record says, and what is remembered of the upload

  private func record(for tokens: OAuthTokens, over stored: VaultSnapshot, reply: ConnectReply)
    -> GmailConnection
  {
    let standing = isSame(stored) && stored.secret.hasTokens ? stored.ownRecord : nil
    let keepsGrant = standing?.grantID == tokens.grantID
    return GmailConnection(
      account: proof.account, recordedStatus: tokens.refreshToken == nil ? .limited : .connected,
      scopes: proof.scopes, connectedAt: standing?.connectedAt ?? now,
      lastRefreshedAt: proof.refreshToken == nil ? standing?.lastRefreshedAt : now,
      accessExpiresAt: tokens.expiresAt,
      grantExpiresAt: keepsGrant
        ? standing?.grantExpiresAt : proof.grantExpiresIn.map { now + .seconds($0) },
      grantID: tokens.grantID ?? newGrantID,
      nextUseAt: tokens.refreshToken == nil ? nil : keepsGrant ? standing?.nextUseAt ?? nextUseAt : nextUseAt,
      deadFence: keepsGrant ? standing?.deadFence : nil,
      isOnProbation: keepsGrant ? standing?.isOnProbation ?? false : false,
      lastUpload: RememberedUpload(fingerprint: fingerprint, reply: reply))
  }

  /// A switch lets go of the old account's grant; one to a connection without a refresh token revokes nothing.
  private func revocationOnSwitch(from stored: VaultSnapshot) -> RevocationOrder? {
    guard !isSame(stored), proof.refreshToken != nil, let old = stored.secret.tokens else { return nil }
    return old.revocationOrder(id: orderID, now: now, baseURL: baseURL)
  }
}

extension VaultSnapshot {
  /// The account that is stored, by the record, else by the secret; nil where neither names one, as beside a
  /// value that never opened.
  package var knownAccount: GoogleAccount? {
    guard let account = connection?.account ?? secret.tokens?.account, account.isNamed else { return nil }
    return account
  }

  /// The remembered reply, when `fingerprint` is the last stored upload's and its connection stands.
  package func repeats(_ fingerprint: [UInt8], at now: Timestamp) -> ConnectReply? {
    guard let connection, connection.isConnected(at: now), secret.hasTokens,
      let last = connection.lastUpload, last.fingerprint == fingerprint
    else { return nil }
    return last.reply
  }
}

extension OAuthTokens {
  /// The order to revoke this grant: by its refresh token, else by an access token that is still alive
  /// (an expired one revokes nothing). Nil when there is nothing to revoke.
  package func revocationOrder(id: String, now: Timestamp, baseURL: String) -> RevocationOrder? {
    guard let token = refreshToken?.secret ?? (expiresAt > now ? accessToken.secret : nil) else { return nil }
    return RevocationOrder(
      id: id, subject: account.subject, token: token, googleBaseURL: googleBaseURL ?? baseURL, queuedAt: now)
  }
}
