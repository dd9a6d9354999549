import Primitives

/// Takes a device's tokens: proves them, compares the account, stores them (DESIGN 3.1, in its order).
package struct ConnectGmail: Sendable {
  private let vault: any TokenVault
  private let prove: ProveTokens
  private let configuration: GoogleConfiguration
  /// A keyed digest of an upload's tokens, so that a repeat is recognised without keeping them.
  private let fingerprint: @Sendable ([Secret]) -> [UInt8]
  private let time: TimeSource
  private let random: RandomSource
  private let revoker: RevokeGrants
  private let waitForTwin: Duration
  private let turns = Turns<UserID>()

  /// A revocation that is under way is waited for this many times, half a second each.
  private static let mostWaits = 60
  private static let waitForRevocation: Duration = .milliseconds(500)
  private static let mostProofs = 5
  private static let twinPoll: Duration = .milliseconds(250)
  private static let mostWrites = 5
  private static let writePause: Duration = .milliseconds(250)

  /// Connects into `vault`. Where other processes share it, an upload that Google refuses waits for
  /// `waitForTwin`: one of them may be about to store the same upload.
  package init(
    vault: any TokenVault, prove: ProveTokens, configuration: GoogleConfiguration, revoker: RevokeGrants,
    fingerprint: @escaping @Sendable ([Secret]) -> [UInt8], time: TimeSource, random: RandomSource,
    waitForTwin: Duration = .zero
  ) {
    self.vault = vault
    self.prove = prove
    self.configuration = configuration
    self.revoker = revoker
    self.fingerprint = fingerprint
    self.time = time
    self.random = random
    self.waitForTwin = waitForTwin
  }

  /// Connects `user`. The tokens are durable when this returns; when it throws, nothing was stored.
  package func callAsFunction(_ user: UserID, _ upload: UploadedTokens) async throws(ConnectRefusal)
    -> ConnectReply
  {
    guard !configuration.clientIDs.isEmpty else { throw .notConfigured }
    // One upload of a user at a time: a repeat that overtakes its first must meet a stored reply.
    await turns.take(user)
    let outcome: Result<ConnectReply, ConnectRefusal>
    do throws(ConnectRefusal) { outcome = .success(try await connect(user, upload)) } catch {
      outcome = .failure(error)
    }
    await turns.leave(user)
    return try outcome.get()
  }

  private func connect(_ user: UserID, _ upload: UploadedTokens) async throws(ConnectRefusal) -> ConnectReply
  {
    let mark = fingerprint([upload.accessToken.secret, upload.refreshToken?.secret ?? Secret("")])
    if let reply = try await read(user).repeats(mark, at: time.now()) { return reply }
    var upload = upload
    for _ in 0..<Self.mostProofs {
      let provedSince = time.now()
      let proof: ProveTokens.Proof
      do throws(ConnectRefusal) { proof = try await prove(upload) } catch {
        guard let reply = try await twin(of: mark, user: user, after: error) else { throw error }
        return reply
      }
      switch try await store(proof, of: upload, mark: mark, provedSince: provedSince, user: user) {
      case .store(let reply), .repeated(let reply): return reply
      case .proveAgain:
        // The proof may have brought a refresh token that took the uploaded one's place.
        upload = upload.replacingRefreshToken(with: proof.refreshToken)
        try await waitForRevocation(of: proof.account.subject, user: user)
      }
    }
    throw .googleUnavailable(retryAfter: RevocationMark.longestRun)
  }

  /// What another process answered to this very upload: Google may have put another token in its own's place,
  /// which the other process is yet about to store.
  private func twin(of mark: [UInt8], user: UserID, after refusal: ConnectRefusal)
    async throws(ConnectRefusal)
    -> ConnectReply?
  {
    let end = time.now() + (refusal == .refreshTokenInvalid ? waitForTwin : .zero)
    while true {
      if let reply = try await read(user).repeats(mark, at: time.now()) { return reply }
      guard time.now() < end else { return nil }
      try? await time.sleep(Self.twinPoll)
    }
  }

  private func waitForRevocation(of account: GoogleSubject, user: UserID) async throws(ConnectRefusal) {
    for _ in 0..<Self.mostWaits {
      try? await time.sleep(Self.waitForRevocation)
      let now = time.now()
      do throws(StoreError) {
        let isRunning = try await vault.update(user, account: account) { stored in
          (.none, stored.revocation?.isRunning(at: now) ?? false)
        }
        if !isRunning { return }
      } catch { throw .store(error) }
    }
    throw .googleUnavailable(retryAfter: RevocationMark.longestRun)
  }

  private func read(_ user: UserID) async throws(ConnectRefusal) -> VaultSnapshot {
    do throws(StoreError) { return try await vault.read(user) } catch { throw .store(error) }
  }

  private func store(
    _ proof: ProveTokens.Proof, of upload: UploadedTokens, mark: [UInt8], provedSince: Timestamp, user: UserID
  ) async throws(ConnectRefusal) -> CompareAccounts.Decision {
    let now = time.now()
    let compare = CompareAccounts(
      upload: upload, proof: proof, fingerprint: mark, provedSince: provedSince, now: now,
      newGrantID: GrantID(random.token128()), orderID: random.token128(), baseURL: configuration.baseURL,
      nextUseAt: SweepGrants.nextUse(of: user, after: now))
    let (decision, order) = try await write(compare, user: user, account: proof.account.subject)
    if let order { revoker.attemptInBackground(order) }
    return decision
  }

  private func write(_ compare: CompareAccounts, user: UserID, account: GoogleSubject)
    async throws(ConnectRefusal) -> (CompareAccounts.Decision, String?)
  {
    var attempt = 0
    while true {
      do throws(StoreError) {
        return try await vault.update(user, account: account) { stored in
          let (change, decision) = compare(stored)
          return (change, (decision, change.revocation?.id))
        }
      } catch {
        // A token that Google put in the uploaded one's place is nowhere else: it is worth a few more tries.
        guard error == .unavailable, compare.hasRotatedToken, attempt < Self.mostWrites else {
          throw .store(error)
        }
        try? await time.sleep(Self.writePause * (1 << attempt))
        attempt += 1
      }
    }
  }
}
