import Primitives

/// One refresh from take-off to landing: the lease, the call to Google with its retries, and what its
/// outcome means (DESIGN 3.4).
package struct RefreshGrant: Sendable {
  /// What a flight brings.
  package struct Landing: Sendable {
    /// A live access token.
    package let token: GoogleAccessToken
    /// When it ends.
    package let expiresAt: Timestamp
    /// When this flight began to ask Google for it; nil when it was found in the store.
    package let refreshedAt: Timestamp?
  }

  /// A flight, its retries included, ends within this.
  package static let longestFlight: Duration = .seconds(40)
  /// How often a flight that found the lease taken looks again.
  private static let leasePoll: Duration = .milliseconds(200)

  let vault: any TokenVault
  let google: any GoogleOAuth
  let configuration: GoogleConfiguration
  let deaths: BelieveDeath
  let alerts: AlertLatch
  let time: TimeSource
  let random: RandomSource

  /// Refreshes grants in `vault`.
  package init(
    vault: any TokenVault, google: any GoogleOAuth, configuration: GoogleConfiguration, deaths: BelieveDeath,
    alerts: AlertLatch, time: TimeSource, random: RandomSource
  ) {
    self.vault = vault
    self.google = google
    self.configuration = configuration
    self.deaths = deaths
    self.alerts = alerts
    self.time = time
    self.random = random
  }

  /// A token that meets `need`. Whoever else refreshes the connection meanwhile, Google is asked once.
  func callAsFunction(_ user: UserID, need: TokenNeed) async throws(TokenRefusal) -> Landing {
    let start = time.now()
    let deadline = start + Self.longestFlight
    let owner = random.token128()
    while time.now() < deadline {
      let stored = try await read(user)
      if let landing = try await landWithoutCall(user, stored, need: need, since: start) { return landing }
      switch try await acquire(user, owner: owner) {
      case .held: try? await time.sleep(Self.leasePoll * (0.5 + random.unit()))
      case .acquired(let lease):
        let result = await underLease(user, lease: lease, need: need, start: start, deadline: deadline)
        // Given up however the flight ended; one that cannot be given up now ends by itself.
        do throws(StoreError) { try await vault.release(lease, on: user) } catch {
          alerts.note(.leaseNotReleased)
        }
        if let landing = try result.get() { return landing }
      }
    }
    throw .temporarilyUnavailable(retryAfter: TokenSource.retryAfter)
  }

  // MARK: Before the lease

  /// What the store alone answers; nil when Google has to be asked.
  private func landWithoutCall(
    _ user: UserID, _ stored: VaultSnapshot, need: TokenNeed, since start: Timestamp
  )
    async throws(TokenRefusal) -> Landing?
  {
    if case .unusable = stored.secret { try await setAsideUnusable(user) }
    // Another process may have refreshed after this need arose; its token is as fresh as ours would be.
    // A time yet to come was written by a wrong clock, and says nothing.
    if let tokens = stored.secret.tokens, let at = stored.connection?.lastRefreshedAt, at > start,
      at <= time.now(), tokens.accessToken != need.rejected
    {
      return Landing(token: tokens.accessToken, expiresAt: tokens.expiresAt, refreshedAt: at)
    }
    switch need.judge(stored, at: time.now()) {
    case .use(let token), .useAndRefresh(let token):
      return Landing(token: token, expiresAt: stored.secret.tokens?.expiresAt ?? time.now(), refreshedAt: nil)
    case .refuse(let refusal): throw refusal
    case .refresh:
      if !stored.secret.hasTokens { try await reviveForTrial(user, stored) }
      return nil
    }
  }

  private func setAsideUnusable(_ user: UserID) async throws(TokenRefusal) {
    let now = time.now()
    try await update(user) { stored in
      guard case .unusable = stored.secret else { return (.none, ()) }
      return (stored.losingItsSecret(at: now, because: .unreadable), ())
    }
    throw .needsReconnect(.unreadable)
  }

  /// While a wave of deaths is doubted, a grant that it set aside may be tried; at any other time it is dead.
  private func reviveForTrial(_ user: UserID, _ stored: VaultSnapshot) async throws(TokenRefusal) {
    let doubtful: Bool
    do throws(StoreError) { doubtful = try await deaths.doubts(stored.aside) } catch { throw .store(error) }
    guard doubtful else { throw .needsReconnect(stored.connection?.reason ?? .invalidGrant) }
    let now = time.now()
    try await update(user) { ($0.restoringAside(at: now, onProbation: true), ()) }
  }

  // MARK: Under the lease

  private func underLease(
    _ user: UserID, lease: RefreshLease, need: TokenNeed, start: Timestamp, deadline: Timestamp
  ) async -> Result<Landing?, TokenRefusal> {
    do throws(TokenRefusal) {
      let stored = try await read(user)
      if let landing = try await landWithoutCall(user, stored, need: need, since: start) {
        return .success(landing)
      }
      guard let tokens = stored.secret.tokens, let grantID = stored.secret.grantID else {
        return .success(nil)
      }
      let flight = Flight(user: user, lease: lease, used: tokens, grantID: grantID)
      return .success(try await fly(flight, deadline: deadline))
    } catch {
      return .failure(error)
    }
  }

  private func fly(_ flight: Flight, deadline: Timestamp) async throws(TokenRefusal) -> Landing? {
    let (token, clientID) = try refreshable(flight.used)
    let began = time.now()
    var retries = RefreshRetries(deadline: deadline)
    while true {
      // A timeout of nothing would mean none at all to some clients; a clock that is set back must not mean hours.
      let timeout = min(deadline - time.now(), Self.longestFlight)
      guard timeout > .zero else { throw .temporarilyUnavailable(retryAfter: TokenSource.retryAfter) }
      switch await ask(token, clientID: clientID, timeout: timeout) {
      case .success(let reply): return try await succeed(flight, reply, clientID: clientID, began: began)
      case .failure(.unavailable(let retryAfter)):
        guard let pause = retries.next(at: time.now(), retryAfter: retryAfter, jitter: random.unit()) else {
          throw .temporarilyUnavailable(retryAfter: retryAfter ?? TokenSource.retryAfter)
        }
        try? await time.sleep(pause)
      case .failure(let error): return try await fail(flight, error, clientID: clientID)
      }
    }
  }

  private func ask(_ token: GoogleRefreshToken, clientID: GoogleClientID, timeout: Duration) async
    -> Result<TokenReply, GoogleError>
  {
    do throws(GoogleError) {
      return .success(try await google.refresh(token, clientID: clientID, timeout: timeout))
    } catch {
      return .failure(error)
    }
  }

  /// A grant is refreshed only with the client and at the Google that it was made with.
  private func refreshable(_ tokens: OAuthTokens) throws(TokenRefusal) -> (GoogleRefreshToken, GoogleClientID)
  {
    guard let clientID = tokens.clientID ?? configuration.clientIDs.first,
      configuration.clientIDs.contains(clientID),
      (tokens.googleBaseURL ?? configuration.baseURL) == configuration.baseURL
    else {
      alerts.raise(.grantOfAnotherConfiguration)
      throw .operatorFault
    }
    guard let token = tokens.refreshToken else { throw .needsReconnect(.accessExpired) }
    return (token, clientID)
  }

  // MARK: Store access

  func read(_ user: UserID) async throws(TokenRefusal) -> VaultSnapshot {
    do throws(StoreError) { return try await vault.read(user) } catch { throw .store(error) }
  }

  private func acquire(_ user: UserID, owner: String) async throws(TokenRefusal) -> LeaseAttempt {
    let now = time.now()
    do throws(StoreError) {
      return try await vault.acquireLease(
        on: user, owner: owner, now: now, until: now + RefreshLease.lifetime)
    } catch {
      throw error == .noSuchUser ? .notConnected : .store(error)
    }
  }

  func update<Answer: Sendable>(
    _ user: UserID, _ decide: @escaping @Sendable (VaultSnapshot) -> (change: VaultChange, result: Answer)
  ) async throws(TokenRefusal) -> Answer {
    do throws(StoreError) { return try await vault.update(user, decide) } catch {
      throw error == .noSuchUser ? .notConnected : .store(error)
    }
  }
}

/// What a flight was made with.
struct Flight: Sendable {
  let user: UserID
  let lease: RefreshLease
  let used: OAuthTokens
  let grantID: GrantID
}

/// Bounded retries with jittered backoff (Google's guide: 2^n seconds plus up to one second), within a deadline.
struct RefreshRetries {
  let deadline: Timestamp
  private var attempts = 0
  private static let most = 3

  init(deadline: Timestamp) { self.deadline = deadline }

  /// How long to pause before the next attempt; nil when there is none left, or no time for it.
  mutating func next(at now: Timestamp, retryAfter: Duration?, jitter: Double) -> Duration? {
    guard attempts < Self.most else { return nil }
    let pause = max(retryAfter ?? .zero, .milliseconds(500) * (1 << attempts) + .seconds(1) * jitter * 0.5)
    attempts += 1
    return now + pause < deadline - .seconds(1) ? pause : nil
  }
}
