import Primitives

/// Asks Google what uploaded tokens are, and refuses what is wrong (DESIGN 3.1, rules 2 to 4).
package struct ProveTokens: Sendable {
  /// What Google says of an upload.
  package struct Proof: Sendable {
    /// Whose they are.
    package let account: GoogleAccount
    /// The client that they belong to.
    package let clientID: GoogleClientID
    /// A live access token: the fresh one where a refresh token was proven.
    package let accessToken: GoogleAccessToken
    /// The proven refresh token, or the one that took its place.
    package let refreshToken: GoogleRefreshToken?
    /// Seconds that the access token is good for.
    package let expiresIn: Int64
    /// The granted scopes.
    package let scopes: GrantedScopes
    /// Seconds until the grant itself ends, when it is limited in time.
    package let grantExpiresIn: Int64?
  }

  private let google: any GoogleOAuth
  private let mailbox: any Mailbox
  private let configuration: GoogleConfiguration
  /// How long proving a refresh token may take.
  private static let refreshTimeout: Duration = .seconds(15)
  /// When a device should try again after Google could not be asked and did not say when.
  static let retryAfter: Duration = .seconds(5)

  /// Proves against `google`.
  package init(google: any GoogleOAuth, mailbox: any Mailbox, configuration: GoogleConfiguration) {
    self.google = google
    self.mailbox = mailbox
    self.configuration = configuration
  }

  /// The proof of `upload`.
  package func callAsFunction(_ upload: UploadedTokens) async throws(ConnectRefusal) -> Proof {
    let (info, user) = try await askWhoThisIs(upload.accessToken)
    let clientID = try clientOfOurs(info)
    guard let subject = info.subject ?? user?.subject else { throw .identityScopeMissing }
    guard info.scopes.canReadMail else { throw .gmailScopeMissing }
    let account = try await describe(subject, info: info, user: user, token: upload.accessToken)
    guard let refreshToken = upload.refreshToken else {
      return Proof(
        account: account, clientID: clientID, accessToken: upload.accessToken, refreshToken: nil,
        expiresIn: info.expiresIn, scopes: info.scopes, grantExpiresIn: nil)
    }
    let reply = try await exchange(refreshToken, clientID: clientID)
    let scopes = try await checkAccount(of: reply, is: subject, clientID: clientID)
    return Proof(
      account: account, clientID: clientID, accessToken: reply.accessToken,
      refreshToken: reply.refreshToken ?? refreshToken, expiresIn: reply.expiresIn, scopes: scopes,
      grantExpiresIn: reply.refreshTokenExpiresIn)
  }

  // MARK: Rule 2: ask Google who this is

  private func askWhoThisIs(_ token: GoogleAccessToken) async throws(ConnectRefusal) -> (TokenInfo, UserInfo?)
  {
    async let user = answer { () async throws(GoogleError) in try await google.userInfo(token) }
    let info = await answer { () async throws(GoogleError) in try await google.tokenInfo(token) }
    let userAnswer = await user
    let known = try Self.accept(info)
    guard known.expiresIn > 0 else { throw .accessTokenInvalid }
    // A token without an identity scope has no userinfo; what that means is decided by rule 3.
    switch userAnswer {
    case .failure(.insufficientScope): return (known, nil)
    case .failure(.invalidToken) where known.subject == nil: return (known, nil)
    default: return (known, try Self.accept(userAnswer))
    }
  }

  private func answer<Answer: Sendable>(
    _ question: @Sendable () async throws(GoogleError) -> Answer
  ) async -> Result<Answer, GoogleError> {
    do throws(GoogleError) { return .success(try await question()) } catch { return .failure(error) }
  }

  private static func accept<Answer>(_ answer: Result<Answer, GoogleError>) throws(ConnectRefusal) -> Answer {
    switch answer {
    case .success(let answer): return answer
    case .failure(.unavailable(let retryAfter)):
      throw .googleUnavailable(retryAfter: retryAfter ?? Self.retryAfter)
    case .failure(.invalidToken): throw .accessTokenInvalid
    // What is asked here needs no scope that is missing, so that such a 403 is not about the token: Google
    // slows us down.
    case .failure(.insufficientScope): throw .googleUnavailable(retryAfter: Self.retryAfter)
    case .failure(.refused(let code)): throw refusal(of: .refused(code))
    }
  }

  // MARK: Rule 3: refuse what is wrong

  private func clientOfOurs(_ info: TokenInfo) throws(ConnectRefusal) -> GoogleClientID {
    let named = [info.audience, info.authorizedParty].compactMap(\.self)
    guard let ours = named.first(where: configuration.clientIDs.contains) else { throw .wrongAudience }
    return ours
  }

  private func describe(
    _ subject: GoogleSubject, info: TokenInfo, user: UserInfo?, token: GoogleAccessToken
  ) async throws(ConnectRefusal) -> GoogleAccount {
    // Two answers of Google about one token that name two accounts make no sense: nothing is built on them.
    if let other = user?.subject, other != subject { throw .googleUnavailable(retryAfter: Self.retryAfter) }
    var email = user?.email ?? info.email
    if email == nil {
      let profile = await answer { () async throws(GoogleError) in try await mailbox.profile(token) }
      email = try Self.accept(profile).emailAddress
    }
    return GoogleAccount(
      subject: subject, email: email ?? "", name: user?.name ?? "",
      emailVerified: user?.emailVerified ?? false)
  }

  // MARK: Rule 4: prove the refresh token, last

  private func exchange(_ token: GoogleRefreshToken, clientID: GoogleClientID) async throws(ConnectRefusal)
    -> TokenReply
  {
    do throws(GoogleError) {
      return try await google.refresh(token, clientID: clientID, timeout: Self.refreshTimeout)
    } catch {
      throw Self.refusal(of: error)
    }
  }

  private static func refusal(of error: GoogleError) -> ConnectRefusal {
    switch error {
    case .refused(.invalidGrant), .invalidToken, .insufficientScope: .refreshTokenInvalid
    case .refused(.unauthorizedClient): .refreshTokenWrongClient
    case .refused(.adminPolicyEnforced), .refused(.accessDenied): .blockedByAdmin
    case .refused(.clientMisconfigured): .googleClientMisconfigured
    case .unavailable(let retryAfter): .googleUnavailable(retryAfter: retryAfter ?? Self.retryAfter)
    }
  }

  /// The scopes of a refreshed token that is `subject`'s and can read mail.
  private func checkAccount(of reply: TokenReply, is subject: GoogleSubject, clientID: GoogleClientID)
    async throws(ConnectRefusal) -> GrantedScopes
  {
    var named = reply.identity.flatMap { $0.audience.contains(clientID) ? $0.subject : nil }
    var scopes = reply.scopes
    if named == nil || scopes == nil {
      let token = reply.accessToken
      let info = try Self.accept(
        await answer { () async throws(GoogleError) in try await google.tokenInfo(token) })
      named = named ?? info.subject
      scopes = scopes ?? info.scopes
    }
    guard let named else { throw .identityScopeMissing }
    guard named == subject else { throw .accountMismatch }
    guard let scopes, scopes.canReadMail else { throw .gmailScopeMissing }
    return scopes
  }
}
