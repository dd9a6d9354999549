import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

@Suite("The profile", .serialized) @MainActor
struct ProfileModelTests {
  @Test("name, e-mail, member since and the connection", arguments: Transport.allCases)
  func loaded(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      guard case .loaded(let profile) = try phone.profile.state else { throw Surprise("no profile") }
      #expect(profile.name == "Ada")
      #expect(profile.email == "user@example.com")
      let day = try #require(profile.memberSince)
      #expect((day.year, day.month, day.day) == (2025, 1, 1))
    }
  }

  @Test("without a network it says so, and what was shown before stays", arguments: Transport.allCases)
  func offline(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      world.network.isDown = true
      await phone.root.resume()
      guard case .loaded = try phone.profile.state else { throw Surprise("the profile is gone") }
      let later = try Phone(in: world, disk: phone.disk)
      await later.root.start()
      #expect(try later.profile.state == .failed(Message(.serverUnreachable), canRetry: true))
      world.network.isDown = false
      try await later.profile.load()
      guard case .loaded = try later.profile.state else { throw Surprise("no profile") }
    }
  }

  @Test("I-53: each connect loads the profile anew", arguments: Transport.allCases)
  func reloads(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      for account in [World.accounts[0], World.accounts[1]] {
        try await world.signInAtGoogle(as: account)
        let before = world.network.sent(.profile)
        await gmail.connect()
        #expect(world.network.sent(.profile) == before + 1)
        #expect(gmail.display == .connectedAddress(account))
      }
    }
  }

  @Test("logging out is seen while it runs, and leaves the Google grant alone", arguments: Transport.allCases)
  func logOut(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world, .sdk)
      let gmail = try await phone.signUp()
      await gmail.connect()
      try await phone.profile.logOut()
      #expect(phone.isSignedOut)
      #expect(try await phone.disk.sessions.load() == nil)
      #expect(await phone.sdk.currentUser() == nil)
      #expect(try await world.calls(of: "revoke") == 0)
      #expect(try await phone.signIn().state == .connected(address: World.accounts[0]))
    }
  }

  @Test(
    "I-52: an account is deleted after the question only, and then everywhere", arguments: Transport.allCases)
  func deletion(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      await gmail.connect()
      let profile = try phone.profile
      await profile.deleteAccount()
      #expect(world.network.sent(.deletion) == 0)
      profile.askToDeleteAccount()
      #expect(profile.isConfirmingDeletion)
      profile.keepAccount()
      #expect(!profile.isConfirmingDeletion)
      await profile.deleteAccount()
      #expect(world.network.sent(.deletion) == 0)
      profile.askToDeleteAccount()
      await profile.deleteAccount()
      #expect(phone.isSignedOut)
      #expect(phone.root.signIn.state == .ready)
      #expect(try await world.backend.vault.connections().isEmpty)
      #expect(try await world.calls(of: "revoke") == 1)
      #expect(try await phone.disk.sessions.load() == nil)
      await #expect(throws: Surprise.self) { try await phone.signIn() }
      #expect(phone.root.signIn.state == .failed(Message(.noSuchAccount)))
    }
  }

  @Test(
    "I-52: a deletion that the server does not confirm is told, erases nothing, and can be asked for again",
    arguments: Transport.allCases)
  func deletionFails(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      let profile = try phone.profile
      world.network.cut(.deletion, .beforeArrival)
      profile.askToDeleteAccount()
      await profile.deleteAccount()
      #expect(profile.problem == Message(.serverUnreachable))
      #expect(profile.work == nil)
      #expect(try await phone.disk.sessions.load() != nil)
      world.network.cut(.deletion, .beforeReply)
      profile.askToDeleteAccount()
      await profile.deleteAccount()
      #expect(profile.problem == Message(.serverSilent))
      profile.askToDeleteAccount()
      await profile.deleteAccount()
      #expect(phone.isSignedOut)
    }
  }

  @Test("what is under way is seen, and nothing else starts beside it", arguments: Transport.allCases)
  func work(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      let profile = try phone.profile
      let gate = world.network.pause(.deletion)
      profile.askToDeleteAccount()
      let deletion = await held(at: gate) { await profile.deleteAccount() }
      #expect(profile.work == .deletingAccount)
      await profile.logOut()
      #expect(!phone.isSignedOut)
      gate.open()
      await deletion.value
      #expect(phone.isSignedOut)
    }
  }
}
