import Domain
import Primitives
import Testing

/// One promise of a port, as a test case: a sentence, and how to find out whether an adapter keeps it.
package struct Promise: Sendable, CustomTestStringConvertible {
  /// The sentence.
  package let testDescription: String
  private let check: @Sendable (StoreFixture) async throws -> Void

  init(_ sentence: String, _ check: @escaping @Sendable (StoreFixture) async throws -> Void) {
    testDescription = sentence
    self.check = check
  }

  /// Holds the adapters of `fixture`, which has to be empty, against the promise.
  package func verify(_ fixture: StoreFixture) async throws { try await check(fixture) }
}

/// The adapters of one store, and what a contract needs to look behind them.
package struct StoreFixture: Sendable {
  /// Its users.
  package let users: any UserStore
  /// Its connections.
  package let vault: any TokenVault
  /// Its revocations owed.
  package let revocations: any RevocationQueue
  /// Its counts of refreshes.
  package let ledger: any RefreshLedger
  /// Makes the stored secret of a user a value that does not open.
  package let corruptSecret: @Sendable (UserID) async throws -> Void

  /// A store that is empty.
  package init(
    users: any UserStore, vault: any TokenVault, revocations: any RevocationQueue, ledger: any RefreshLedger,
    corruptSecret: @escaping @Sendable (UserID) async throws -> Void
  ) {
    self.users = users
    self.vault = vault
    self.revocations = revocations
    self.ledger = ledger
    self.corruptSecret = corruptSecret
  }

  /// The in-memory adapters over `store`.
  package init(_ store: InMemoryStore) {
    self.init(
      users: InMemoryUserStore(store), vault: InMemoryTokenVault(store),
      revocations: InMemoryRevocationQueue(store), ledger: InMemoryRefreshLedger(store),
      corruptSecret: { store.corruptSecret(of: $0) })
  }

  /// Some moment.
  package static let noon = Timestamp(seconds: 1_750_000_000)

  /// Adds a user of that name, and gives their id.
  package func add(_ name: String) async throws -> UserID {
    let user = User.sample(name)
    #expect(try await users.add(user))
    return user.id
  }

  /// Stores tokens of `account` for `user`, with a record.
  package func connect(
    _ user: UserID, account: String = "sub-1", tokens: OAuthTokens? = nil, record: GmailConnection? = nil
  ) async throws {
    let tokens = tokens ?? .sample(account: account)
    let record = record ?? .sample(account: account)
    try await vault.update(user) { _ in (VaultChange(secret: .put(tokens), connection: .put(record)), ()) }
  }

  /// Makes one change.
  package func change(_ user: UserID, _ change: VaultChange) async throws {
    try await vault.update(user) { _ in (change, ()) }
  }

  /// Queues a revocation by way of a change of `user`.
  package func queue(_ order: RevocationOrder, by user: UserID) async throws {
    try await change(user, VaultChange(revocation: order))
  }

  /// The revocation mark of `account`, as `user` would see it.
  package func mark(of account: GoogleSubject, seenBy user: UserID) async throws -> RevocationMark? {
    try await vault.update(user, account: account) { (.none, $0.revocation) }
  }
}

extension User {
  /// A user whose address is `<name>@example.com`.
  package static func sample(_ name: String) -> User {
    User(
      id: UserID("user_" + name), email: name + "@example.com", name: name,
      passwordHash: Secret("$2b$12$hash"),
      createdAt: StoreFixture.noon)
  }
}

extension OAuthTokens {
  /// Refreshable tokens, with every field set.
  package static func sample(
    account: String = "sub-1", access: String = "ya29.access", refresh: String? = "1//refresh",
    grantID: GrantID? = GrantID("grant-1"), fence: Int64 = 0
  ) -> OAuthTokens {
    OAuthTokens(
      accessToken: GoogleAccessToken(Secret(access)),
      refreshToken: refresh.map { GoogleRefreshToken(Secret($0)) },
      expiresAt: StoreFixture.noon + .seconds(3599), expiresIn: 3599,
      scopes: GrantedScopes([GrantedScopes.gmailReadonly, "openid"]),
      writtenAt: StoreFixture.noon + .microseconds(123_456),
      account: GoogleAccount(
        subject: GoogleSubject(account), email: account + "@gmail.com", name: "Zoë 🦊", emailVerified: true),
      clientID: GoogleClientID("client-1"), googleBaseURL: "https://oauth2.googleapis.com", grantID: grantID,
      fence: fence)
  }
}

extension AsideSecret {
  /// What is known of the sample tokens, set aside at noon.
  package static func sample() -> AsideSecret { AsideSecret(OAuthTokens.sample(), since: StoreFixture.noon) }
}

extension GmailConnection {
  /// A connection record with every field set.
  package static func sample(
    account: String = "sub-1", status: ConnectionStatus = .connected, accessExpiresAt: Timestamp? = nil,
    nextUseAt: Timestamp? = nil
  ) -> GmailConnection {
    GmailConnection(
      account: OAuthTokens.sample(account: account).account, recordedStatus: status, reason: .accessDenied,
      scopes: GrantedScopes([GrantedScopes.gmailReadonly, "openid"]),
      connectedAt: StoreFixture.noon - .microseconds(1), lastRefreshedAt: StoreFixture.noon,
      accessExpiresAt: accessExpiresAt ?? StoreFixture.noon + .seconds(3599),
      grantExpiresAt: StoreFixture.noon + .seconds(86_400), grantID: GrantID("grant-1"),
      nextUseAt: nextUseAt ?? StoreFixture.noon + .seconds(80_000), deadFence: 7, isOnProbation: true,
      lastUpload: RememberedUpload(
        fingerprint: [0, 1, 254, 255],
        reply: ConnectReply(
          googleEmail: account + "@gmail.com", scope: "openid", previousGoogleEmail: "old@gmail.com",
          kind: .switched)))
  }
}

extension RevocationOrder {
  /// An order for a grant of `account`.
  package static func sample(
    _ id: String, account: String = "sub-1", queuedAt: Timestamp = StoreFixture.noon
  ) -> RevocationOrder {
    RevocationOrder(
      id: id, subject: GoogleSubject(account), token: Secret("1//refresh-" + id),
      googleBaseURL: "https://oauth2.googleapis.com", queuedAt: queuedAt)
  }
}
