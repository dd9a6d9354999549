import Primitives
import WireModels

/// Brings tokens to the server, also those that an earlier attempt could not.
///
/// What is under way is kept until the server has it, and only goes out in its own user's session. A second caller
/// for the same user joins the delivery that runs.
public actor TokenDelivery {
  /// How long Google lets a code be redeemed.
  static let codeLifetime: Duration = .seconds(600)

  private let api: APIClient
  private let google: GoogleTokenClient
  private let store: any UndeliveredTokensStore
  private let time: TimeSource
  private var running: [UndeliveredTokens.Owner: Task<Result<ConnectOutcome?, ConnectError>, Never>] = [:]

  /// A delivery to the server of `api`.
  public init(
    api: APIClient, google: GoogleTokenClient, store: any UndeliveredTokensStore, time: TimeSource = .system
  ) {
    self.api = api
    self.google = google
    self.store = store
    self.time = time
  }

  /// Delivers what the session's user has under way; nil when that is nothing. Call it after a sign-in, and when
  /// the network is back.
  public func deliverPending(in session: Session) async throws(ConnectError) -> ConnectOutcome? {
    let owner = UndeliveredTokens.Owner(session)
    let delivery = running[owner] ?? start(owner, session)
    return try await delivery.value.get()
  }

  /// Goes on with an authorization whose redirect reached another process than the one that began it.
  ///
  /// - Parameters:
  ///   - redirect: the whole address that the browser was sent to.
  ///   - session: the session of the user who began it.
  /// - Returns: nil when nothing of this user waits for a redirect.
  public func resume(redirect: String, in session: Session) async throws(ConnectError) -> ConnectOutcome? {
    let owner = UndeliveredTokens.Owner(session)
    guard case .opened(let attempt)? = try await loaded(owner)?.stage else { return nil }
    do throws(AuthorizationError) {
      let code = try attempt.code(in: redirect)
      try await save(.returned(attempt, code: code, at: time.now()), owner)
    } catch {
      if case .notOurs = error {} else { try await remove(owner) }
      throw .google(error, kept: false)
    }
    return try await deliverPending(in: session)
  }

  /// Whether the device holds something for the session's user that the server does not have yet.
  public func isPending(in session: Session) async throws(StorageError) -> Bool {
    switch try await store.load(UndeliveredTokens.Owner(session))?.stage {
    case .returned, .granted: true
    case .opened, nil: false
    }
  }

  /// Erases what the session's user has under way, for sign-out-and-forget.
  public func forget(_ session: Session) async throws(StorageError) {
    try await store.remove(UndeliveredTokens.Owner(session))
  }

  private func start(
    _ owner: UndeliveredTokens.Owner, _ session: Session
  ) -> Task<Result<ConnectOutcome?, ConnectError>, Never> {
    let delivery = Task { () -> Result<ConnectOutcome?, ConnectError> in
      defer { running[owner] = nil }
      do throws(ConnectError) { return .success(try await proceed(owner, session)) } catch {
        return .failure(error)
      }
    }
    running[owner] = delivery
    return delivery
  }

  private func proceed(
    _ owner: UndeliveredTokens.Owner, _ session: Session
  ) async throws(ConnectError) -> ConnectOutcome? {
    switch try await loaded(owner)?.stage {
    case nil, .opened: return nil
    case .granted(let grant): return try await deliver(grant, in: session)
    case .returned(let attempt, let code, let moment):
      guard time.now() < moment + Self.codeLifetime else {
        try? await store.remove(owner)
        throw .expired
      }
      let grant: GoogleGrant
      do { grant = try await google.exchange(code, of: attempt) } catch {
        if error.isPassing { throw .google(error, kept: true) }
        try? await store.remove(owner)
        throw error == .grantRefused ? .expired : .google(error, kept: false)
      }
      return try await take(grant, in: session)
    }
  }

  /// Keeps a fresh grant and delivers it, unless it cannot read mail.
  func take(_ grant: GoogleGrant, in session: Session) async throws(ConnectError) -> ConnectOutcome {
    let owner = UndeliveredTokens.Owner(session)
    guard !grant.lacksMailPermission else {
      try? await store.remove(owner)
      return .mailPermissionMissing(MissingMailPermission(grant))
    }
    // When the disk is full the tokens are still in hand, and may well arrive.
    try? await store.save(UndeliveredTokens(owner: owner, stage: .granted(grant)))
    return try await deliver(grant, in: session)
  }

  /// Uploads `grant`, refreshed first when old. A refusal of the access token alone is answered by one refresh: the
  /// device's clock may be wrong.
  private func deliver(_ grant: GoogleGrant, in session: Session) async throws(ConnectError) -> ConnectOutcome
  {
    let owner = UndeliveredTokens.Owner(session)
    var grant = grant
    var mayRefresh = grant.refreshToken != nil
    if grant.isOld(at: time.now()) {
      grant = try await refreshed(grant, of: owner)
      mayRefresh = false
    }
    while true {
      do throws(APIError) {
        let data = try await api.storeGmailTokens(request(for: grant), session)
        await erase(grant, of: owner)
        return .connected(data)
      } catch .refused(let refusal) where refusal.isDefinite {
        if refusal.reason == .accessTokenInvalid, mayRefresh {
          grant = try await refreshed(grant, of: owner)
          mayRefresh = false
          continue
        }
        await erase(grant, of: owner)
        if refusal.reason == .gmailScopeMissing {
          return .mailPermissionMissing(MissingMailPermission(grant))
        }
        throw .server(.refused(refusal), kept: false)
      } catch {
        throw .server(error, kept: true)
      }
    }
  }

  private func request(for grant: GoogleGrant) -> GmailTokensRequest {
    let remaining = (grant.expiresAt - time.now()).components.seconds
    return GmailTokensRequest(
      accessToken: grant.accessToken, refreshToken: grant.refreshToken,
      expiresIn: Int(min(max(remaining, 1), 86400)),
      scope: grant.grantedScopes ?? [], email: grant.email)
  }

  private func refreshed(
    _ grant: GoogleGrant, of owner: UndeliveredTokens.Owner
  ) async throws(ConnectError) -> GoogleGrant {
    do throws(AuthorizationError) {
      let fresh = try await google.refresh(grant)
      try? await store.save(UndeliveredTokens(owner: owner, stage: .granted(fresh)))
      return fresh
    } catch .grantRefused {
      await erase(grant, of: owner)
      throw .expired
    } catch {
      throw .google(error, kept: true)
    }
  }

  /// Erases the record of `grant`, but not one that took its place meanwhile.
  private func erase(_ grant: GoogleGrant, of owner: UndeliveredTokens.Owner) async {
    guard case .granted(let kept)? = try? await store.load(owner)?.stage,
      kept.accessToken == grant.accessToken
    else { return }
    try? await store.remove(owner)
  }

  private func loaded(_ owner: UndeliveredTokens.Owner) async throws(ConnectError) -> UndeliveredTokens? {
    do { return try await store.load(owner) } catch { throw .storage(error) }
  }

  private func save(
    _ stage: UndeliveredTokens.Stage, _ owner: UndeliveredTokens.Owner
  ) async throws(AuthorizationError) {
    do { try await store.save(UndeliveredTokens(owner: owner, stage: stage)) } catch { throw .storage(error) }
  }

  private func remove(_ owner: UndeliveredTokens.Owner) async throws(ConnectError) {
    do { try await store.remove(owner) } catch { throw .storage(error) }
  }
}
