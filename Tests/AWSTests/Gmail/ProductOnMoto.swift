import Domain
import Primitives
import TestSupport

@testable import AWS

/// The domain's rules over the stores of one process, and a Google.
struct ProductOnMoto: Sendable {
  static let client = GoogleClientID("ios.apps.googleusercontent.com")
  static let configuration = GoogleConfiguration(clientIDs: [client], baseURL: "https://google.test")

  let aws: StoresOnMoto
  let google: FakeGoogle
  let tokens: TokenSource
  let connect: ConnectGmail
  let disconnect: DisconnectGmail
  let logIn: LogIn
  let signUp: SignUp
  let sweep: SweepGrants
  let deleteAccount: DeleteAccount
  let restore: RestoreConnection

  init(_ aws: StoresOnMoto, google: FakeGoogle? = nil) {
    self.aws = aws
    let google = google ?? FakeGoogle(clock: aws.clock)
    self.google = google
    // Here those who wait are woken by what they wait for, never by the clock.
    let (vault, users, time, random) = (
      aws.stores.vault, aws.stores.users, aws.clock.source, RandomSource.system
    )
    let alerts = AlertLatch(log: .silent)
    let revoker = RevokeGrants(
      queue: aws.stores.revocations, google: google, configuration: Self.configuration, time: time,
      log: .silent)
    let deaths = BelieveDeath(ledger: aws.stores.ledger, vault: vault, alerts: alerts, time: time)
    let refresh = RefreshGrant(
      vault: vault, google: google, configuration: Self.configuration, deaths: deaths, alerts: alerts,
      time: aws.clock.passing, random: random)
    tokens = TokenSource(vault: vault, refresh: refresh, policy: .refreshesOnDemand, time: time)
    connect = ConnectGmail(
      vault: vault,
      prove: ProveTokens(google: google, mailbox: google, configuration: Self.configuration),
      configuration: Self.configuration, revoker: revoker,
      fingerprint: { $0.flatMap { Array($0.expose().utf8) } }, time: time, random: random)
    disconnect = DisconnectGmail(
      vault: vault, revoker: revoker, configuration: Self.configuration, time: time, random: random)
    logIn = LogIn(users: users, passwords: FakePasswords(), limits: nil, time: time)
    signUp = SignUp(users: users, passwords: FakePasswords(), time: time, random: random)
    sweep = SweepGrants(
      vault: vault, tokens: tokens, revoker: revoker, ledger: aws.stores.ledger, time: time, log: .silent)
    deleteAccount = DeleteAccount(users: users, disconnect: disconnect)
    restore = RestoreConnection(users: users, vault: vault, time: time)
  }

  static func account(_ name: String) -> GoogleAccount {
    GoogleAccount(
      subject: GoogleSubject("sub-" + name), email: name + "@gmail.test", name: "Name of " + name,
      emailVerified: true)
  }

  /// A fresh consent of `account`, as the device uploads it.
  func upload(_ name: String, withRefreshToken: Bool = true) -> UploadedTokens {
    let tokens = google.consent(Self.account(name), clientID: Self.client, at: aws.clock.now)
    return UploadedTokens(
      accessToken: tokens.access, refreshToken: withRefreshToken ? tokens.refresh : nil,
      scopes: FakeGoogle.fullScopes)
  }

  /// What `POST /v1/auth/gmail-tokens` does once the body is read.
  func post(_ user: UserID, _ upload: UploadedTokens) async throws -> ConnectReply {
    guard try await aws.stores.users.user(user) != nil else { throw StoreError.noSuchUser }
    return try await connect(user, upload)
  }

  /// Lets the hour of an access token pass.
  func passAnHour() { aws.clock.advance(by: .seconds(3601)) }
}
