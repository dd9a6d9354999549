import Domain
import Primitives
import TestSupport
import Testing

@Suite("ProveTokens")
struct ProveTokensTests {
  let world = World()
  let kim = World.account("kim")

  private func prove(_ upload: UploadedTokens) async throws -> ProveTokens.Proof {
    try await ProveTokens(google: world.google, mailbox: world.google, configuration: World.configuration)(
      upload)
  }

  private func refused(_ refusal: ConnectRefusal, _ upload: UploadedTokens) async {
    await #expect(throws: refusal) { try await prove(upload) }
  }

  private func joined(_ access: UploadedTokens, _ refresh: UploadedTokens) -> UploadedTokens {
    UploadedTokens(
      accessToken: access.accessToken, refreshToken: refresh.refreshToken, scopes: access.scopes)
  }

  @Test("3.1.2: tokeninfo and userinfo are asked concurrently")
  func concurrently() async throws {
    let upload = world.upload(kim)
    let (one, two) = (world.google.hold(.tokenInfo), world.google.hold(.userInfo))
    let proving = Task { try await prove(upload) }
    await one.arrival()
    await two.arrival()
    two.open()
    one.open()
    #expect(try await proving.value.account == kim)
  }

  @Test("3.1.2: Google's word wins: identity, lifetime and scopes are Google's")
  func googlesWord() async throws {
    let granted = world.upload(kim, withRefreshToken: false)
    world.clock.advance(by: .seconds(600))
    let proof = try await prove(
      UploadedTokens(
        accessToken: granted.accessToken, refreshToken: nil, scopes: GrantedScopes("https://made.up/scope")))
    #expect(proof.account == kim)
    #expect(proof.expiresIn == 3000)
    #expect(proof.scopes == FakeGoogle.fullScopes)
    #expect(proof.clientID == World.client)
    #expect(proof.refreshToken == nil)
    #expect(world.google.calls(.token) == 0)
  }

  @Test("3.1.3: access_token_invalid: unknown to Google, ended, or with nothing left")
  func accessTokenInvalid() async throws {
    await refused(
      .accessTokenInvalid,
      UploadedTokens(
        accessToken: GoogleAccessToken(Secret("ya29.junk")), refreshToken: nil, scopes: GrantedScopes("")))
    let upload = world.upload(kim)
    world.passAnHour()
    await refused(.accessTokenInvalid, upload)
    world.google.configure { $0.lifetime = 0 }
    await refused(.accessTokenInvalid, world.upload(kim))
    #expect(world.google.calls(.token) == 0, "the refresh token is proven last")
  }

  @Test("3.1.3: wrong_audience: neither aud nor azp is one of our client IDs")
  func wrongAudience() async throws {
    await refused(
      .wrongAudience, world.upload(kim, client: GoogleClientID("theirs.apps.googleusercontent.com")))
    #expect(world.google.calls(.token) == 0)
  }

  @Test("3.1.3: azp is enough: a token for a server client that our client asked for")
  func authorizedParty() async throws {
    let google = Renaming(base: world.google, audience: GoogleClientID("web"), party: World.client)
    let prove = ProveTokens(google: google, mailbox: world.google, configuration: World.configuration)
    #expect(try await prove(world.upload(kim, withRefreshToken: false)).clientID == World.client)
  }

  @Test(
    "3.1.3: identity_scope_missing: Google names no sub",
    arguments: [GoogleError.insufficientScope, .invalidToken])
  func identityScopeMissing(answer: GoogleError) async throws {
    let upload = world.upload(kim, scopes: GrantedScopes(GrantedScopes.gmailReadonly))
    world.google.fail(.userInfo, answer)
    await refused(.identityScopeMissing, upload)
  }

  @Test("G3: gmail_scope_missing: no scope that can read mail")
  func gmailScopeMissing() async throws {
    await refused(
      .gmailScopeMissing,
      world.upload(kim, scopes: GrantedScopes("openid email https://www.googleapis.com/auth/gmail.metadata")))
    #expect(world.google.calls(.token) == 0)
  }

  @Test("G4: only a scope that can read mail is mandatory; others may be missing, or be more (G2)")
  func enoughScopes() async throws {
    for mail in ["https://mail.google.com/", "https://www.googleapis.com/auth/gmail.modify"] {
      let scopes = GrantedScopes("openid \(mail) https://www.googleapis.com/auth/drive")
      #expect(try await prove(world.upload(kim, scopes: scopes)).scopes == scopes)
    }
  }

  @Test("3.1.4: the refresh token is exchanged with the client ID that tokeninfo named")
  func exchangesWithItsClient() async throws {
    let upload = world.upload(kim, client: World.otherClient)
    let proof = try await prove(upload)
    #expect(proof.clientID == World.otherClient)
    #expect(proof.refreshToken == upload.refreshToken)
    #expect(proof.accessToken != upload.accessToken)
  }

  @Test("3.1.4: a refresh token in the reply replaces the uploaded one")
  func rotated() async throws {
    world.google.configure { $0.rotates = true }
    let upload = world.upload(kim)
    let proof = try await prove(upload)
    #expect(proof.refreshToken != upload.refreshToken)
    #expect(world.google.honours(proof.refreshToken))
  }

  @Test(
    "3.1.4: account_mismatch: the two tokens belong to different accounts, by id_token or by tokeninfo",
    arguments: [true, false])
  func accountMismatch(namesIdentity: Bool) async throws {
    world.google.configure { $0.namesIdentity = namesIdentity }
    await refused(.accountMismatch, joined(world.upload(kim), world.upload(World.account("lee"))))
  }

  @Test("3.1.4: an id_token for another audience does not count: tokeninfo of the fresh token decides")
  func otherAudience() async throws {
    world.google.configure { $0.audience = GoogleClientID("theirs") }
    let upload = world.upload(kim)
    _ = try await prove(upload)
    #expect(world.google.calls(.tokenInfo) == 2)
  }

  @Test(
    "3.1.4: a refresh token whose grant cannot read mail is gmail_scope_missing", arguments: [true, false])
  func refreshWithoutMail(namesScopes: Bool) async throws {
    world.google.configure { $0.namesScopes = namesScopes }
    let narrow = world.upload(kim, scopes: GrantedScopes("openid email"))
    await refused(.gmailScopeMissing, joined(world.upload(kim), narrow))
  }

  @Test("3.1.4: a dead or unknown refresh token is refresh_token_invalid; another client's is its own reason")
  func badRefreshTokens() async throws {
    let upload = world.upload(kim)
    let dead = world.upload(World.account("lee"))
    world.google.killGrants(of: World.account("lee"))
    await refused(.refreshTokenInvalid, joined(upload, dead))
    await refused(.refreshTokenWrongClient, joined(upload, world.upload(kim, client: World.otherClient)))
  }

  @Test(
    "3.1.4: refusals go by the OAuth error",
    arguments: [
      (GoogleError.refused(.invalidGrant(rapt: false)), ConnectRefusal.refreshTokenInvalid),
      (.refused(.invalidGrant(rapt: true)), .refreshTokenInvalid),
      (.refused(.unauthorizedClient), .refreshTokenWrongClient),
      (.refused(.adminPolicyEnforced), .blockedByAdmin),
      (.refused(.accessDenied), .blockedByAdmin),
      (.refused(.clientMisconfigured), .googleClientMisconfigured),
      (.unavailable(retryAfter: .seconds(7)), .googleUnavailable(retryAfter: .seconds(7))),
      (.unavailable(retryAfter: nil), .googleUnavailable(retryAfter: .seconds(5))),
    ])
  func refusals(error: GoogleError, refusal: ConnectRefusal) async throws {
    world.google.fail(.token, error)
    await refused(refusal, world.upload(kim))
  }

  @Test(
    "3.1.4: Google down at any step is googleUnavailable, and nothing is stored",
    arguments: [
      FakeGoogle.Endpoint.tokenInfo, .userInfo, .token,
    ])
  func googleDown(endpoint: FakeGoogle.Endpoint) async throws {
    let user = try await world.user()
    world.google.fail(endpoint, .unavailable(retryAfter: .seconds(9)))
    let upload = world.upload(kim)
    await #expect(throws: ConnectRefusal.googleUnavailable(retryAfter: .seconds(9))) {
      try await world.home.connect(user, upload)
    }
    #expect(try await world.record(user) == nil)
    world.google.heal(endpoint)
    #expect(try await world.home.connect(user, upload).kind == .first)
  }

  @Test("Without an e-mail scope the mailbox tells the address")
  func addressOfTheMailbox() async throws {
    let nameless = GoogleAccount(
      subject: GoogleSubject("sub-x"), email: "x@gmail.test", name: "", emailVerified: false)
    let google = Renaming(base: world.google, audience: World.client, party: nil)
    let prove = ProveTokens(google: google, mailbox: world.google, configuration: World.configuration)
    let proof = try await prove(world.upload(nameless, withRefreshToken: false))
    #expect(proof.account.email == "x@gmail.test")
    world.google.fail(.profile, .refused(.adminPolicyEnforced))
    await #expect(throws: ConnectRefusal.blockedByAdmin) {
      try await prove(world.upload(nameless, withRefreshToken: false))
    }
    world.google.fail(.profile, .refused(.clientMisconfigured))
    await #expect(throws: ConnectRefusal.googleClientMisconfigured) {
      try await prove(world.upload(nameless, withRefreshToken: false))
    }
  }
}

/// A Google whose tokeninfo names other clients, and no address anywhere.
private struct Renaming: GoogleOAuth {
  let base: FakeGoogle
  let audience: GoogleClientID
  let party: GoogleClientID?

  func tokenInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> TokenInfo {
    let info = try await base.tokenInfo(token)
    return TokenInfo(
      audience: audience, authorizedParty: party, subject: info.subject, scopes: info.scopes,
      expiresIn: info.expiresIn, email: nil)
  }
  func userInfo(_ token: GoogleAccessToken) async throws(GoogleError) -> UserInfo {
    let info = try await base.userInfo(token)
    return UserInfo(subject: info.subject, email: nil, name: info.name, emailVerified: false)
  }
  func refresh(_ token: GoogleRefreshToken, clientID: GoogleClientID, timeout: Duration)
    async throws(GoogleError) -> TokenReply
  { try await base.refresh(token, clientID: clientID, timeout: timeout) }
  func revoke(_ token: Secret) async throws(GoogleError) { try await base.revoke(token) }
}
