import Domain
import Primitives
import TestSupport
import Testing

@Suite("OpenMailbox")
struct OpenMailboxTests {
  let world = World()

  @Test("The mailbox of the connected account opens with a token that Gmail accepts")
  func opens() async throws {
    let user = try await world.connected()
    let opened = try await world.home.openMailbox(user)
    #expect(opened.profile.emailAddress == "kim@gmail.test")
    #expect(world.google.honours(opened.token, at: world.clock.now))
    #expect(world.google.calls(.userInfo) == 1, "the address tells already")
  }

  @Test("3.4: after a 401 of Gmail the token is refreshed once past, and tried once more")
  func refreshesPast() async throws {
    let user = try await world.connected()
    let rejected = try #require(try await world.stored(user)?.accessToken)
    world.google.forget(rejected)
    let calls = world.google.calls(.token)
    #expect(try await world.home.openMailbox(user).token != rejected)
    #expect(world.google.calls(.token) == calls + 1)
    world.google.fail(.profile, .invalidToken, times: 2)
    await #expect(throws: OpenMailbox.Refusal.google(.invalidToken)) {
      try await world.home.openMailbox(user)
    }
    #expect(world.google.calls(.token) == calls + 2)
  }

  @Test("C9: a token that answers for another account opens nothing")
  func anotherAccount() async throws {
    let user = try await world.connected()
    let stray = world.google.consent(World.account("lee"), clientID: World.client, at: world.clock.now)
    try await world.vault.update(user) { stored in
      var tokens = stored.secret.tokens
      tokens?.accessToken = stray.access
      return (VaultChange(secret: tokens.map { .put($0) } ?? .keep), ())
    }
    await #expect(throws: OpenMailbox.Refusal.anotherAccount) { try await world.home.openMailbox(user) }
  }

  @Test("C9: a mailbox under an alias, or in another case, is the same account by its sub")
  func alias() async throws {
    let user = try await world.connected()
    world.google.rename(mailboxOf: World.account("kim"), to: "K.I.M@googlemail.test")
    #expect(try await world.home.openMailbox(user).profile.emailAddress == "K.I.M@googlemail.test")
    world.google.rename(mailboxOf: World.account("kim"), to: "KIM@gmail.test")
    let calls = world.google.calls(.userInfo)
    _ = try await world.home.openMailbox(user)
    #expect(world.google.calls(.userInfo) == calls)
  }

  @Test("Without a token, or with Gmail away, it says why")
  func refusals() async throws {
    let (stranger, user) = try await (world.user("pat"), world.connected())
    await #expect(throws: OpenMailbox.Refusal.token(.notConnected)) {
      try await world.home.openMailbox(stranger)
    }
    world.google.fail(.profile, .unavailable(retryAfter: nil))
    await #expect(throws: OpenMailbox.Refusal.google(.unavailable(retryAfter: nil))) {
      try await world.home.openMailbox(user)
    }
    #expect(try await world.status(user) == .connected)
  }
}
