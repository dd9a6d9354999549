import Cryptography
import Domain
import FoundationEssentials
import HTTP
import Primitives
import TestSupport
import Testing

@testable import API

@Suite("Sessions and a password that is changed")
struct PasswordChangeTests {
  let clock = TestClock()
  let gate = Gate()
  let users: InMemoryUserStore
  let responder: any Responder

  init() {
    let store = InMemoryStore(time: clock.source)
    users = InMemoryUserStore(store)
    responder = Self.application(store, clock, FakePasswords(gate: gate)).responder()
  }

  @Test(
    "4: a sign-in whose old password was still being checked when it was changed opens nothing afterwards")
  func signInDuringChange() async throws {
    let user = User(
      id: UserID("user_kim"), email: "kim@home.test", name: "Kim", passwordHash: Secret("hash of old pass"),
      createdAt: clock.now)
    _ = try await users.add(user)
    let signIn = Task { await self.signIn("old pass") }
    await gate.arrival()
    clock.advance(by: .seconds(1))
    try await SetPassword(users: users, passwords: FakePasswords(), time: clock.source)(
      Secret("new password"), email: user.email)
    clock.advance(by: .seconds(5))
    gate.open()
    let session = try #require(await signIn.value)
    #expect(await profile(session) == 401)
    #expect(await profile(try #require(await self.signIn("new password"))) == 200)
  }

  // MARK: What the test does

  /// The session token of a sign-in; nil when it was refused.
  private func signIn(_ password: String) async -> String? {
    let reply = await responder.respond(
      to: HTTPRequest(
        method: .post, path: "/v1/auth/login",
        body: Array(#"{"email":"kim@home.test","password":"\#(password)"}"#.utf8)))
    let json = try? JSONDecoder().decode(JSONValue.self, from: Data(reply.body))
    return json?["data"]?["access_token"]?.string
  }

  private func profile(_ session: String) async -> Int {
    await responder.respond(
      to: HTTPRequest(method: .get, path: "/v1/user/me", fields: ["Authorization": "Bearer " + session])
    ).status
  }

  private static func application(_ store: InMemoryStore, _ clock: TestClock, _ passwords: FakePasswords)
    -> Application
  {
    let (time, random, google) = (clock.source, RandomSource.system, FakeGoogle(clock: clock))
    let (users, vault) = (InMemoryUserStore(store), InMemoryTokenVault(store))
    let configuration = GoogleConfiguration(clientIDs: [], baseURL: "https://google.test")
    let revoker = RevokeGrants(
      queue: InMemoryRevocationQueue(store), google: google, configuration: configuration, time: time,
      log: .silent)
    let disconnect = DisconnectGmail(
      vault: vault, revoker: revoker, configuration: configuration, time: time, random: random)
    return Application(
      signUp: SignUp(users: users, passwords: passwords, time: time, random: random),
      logIn: LogIn(users: users, passwords: passwords, limits: nil, time: time),
      connectGmail: ConnectGmail(
        vault: vault, prove: ProveTokens(google: google, mailbox: google, configuration: configuration),
        configuration: configuration, revoker: revoker, fingerprint: { _ in [] }, time: time, random: random),
      disconnectGmail: disconnect, deleteAccount: DeleteAccount(users: users, disconnect: disconnect),
      users: users,
      sessions: Sessions(
        signer: SessionTokenSigner(secret: Secret("key")), users: users, time: time, random: random),
      clients: ClientAddress(trustedProxies: []), uploads: nil, hidesUnknownUsers: false,
      isReady: { true }, time: time)
  }
}
