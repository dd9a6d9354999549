import AppModel
import PayPulseKit
import Primitives
import TestSupport
import Testing

@Suite("Signing in and up", .serialized) @MainActor
struct SignInModelTests {
  @Test(
    "I-16: nothing is filled in beforehand, and the password is emptied once it has served",
    arguments: Transport.allCases)
  func fields(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let model = phone.root.signIn
      #expect(model.email.isEmpty && model.name.isEmpty && model.password.isEmpty)
      try await phone.signUp()
      #expect(model.state == .signedIn)
      #expect(model.password.isEmpty)
    }
  }

  @Test("signing up, logging out and signing in", arguments: Transport.allCases)
  func wholeWay(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp("  user@example.com ")
      try await phone.profile.logOut()
      #expect(phone.isSignedOut)
      #expect(phone.root.signIn.state == .ready)
      try await phone.signIn()
      #expect(phone.root.signIn.state == .signedIn)
    }
  }

  @Test("what is asked of the server is seen, and asked once")
  func busy() async throws {
    try await World.with(.inProcess) { @MainActor world in
      let phone = try Phone(in: world)
      await phone.root.start()
      let model = phone.root.signIn
      (model.email, model.name, model.password) = ("user@example.com", "Ada", "correct horse")
      let gate = world.network.pause(.signUp)
      let work = await held(at: gate) { await model.signUp() }
      #expect(model.state == .signingUp)
      #expect(model.isBusy)
      await model.signIn()
      #expect(world.network.sent(.signIn) == 0)
      gate.open()
      await work.value
      #expect(model.state == .signedIn)
    }
  }

  @Test("signing in is seen as such")
  func signingIn() async throws {
    try await World.with(.inProcess) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      try await phone.profile.logOut()
      let gate = world.network.pause(.signIn)
      let work = await held(at: gate) { _ = try? await phone.signIn() }
      #expect(phone.root.signIn.state == .signingIn)
      gate.open()
      await work.value
    }
  }

  @Test(
    "what the form can know is said without asking the server",
    arguments: [
      ("", "Ada", "correct horse", MessageKey.emailInvalid), ("ada", "Ada", "correct horse", .emailInvalid),
      ("@example.com", "Ada", "correct horse", .emailInvalid),
      ("a b@example.com", "Ada", "correct horse", .emailInvalid),
      ("user@example.com", "  ", "correct horse", .nameMissing),
      ("user@example.com", "Ada", "", .passwordMissing),
      ("user@example.com", "Ada", "short", .passwordTooShort),
      ("user@example.com", "Ada", String(repeating: "ö", count: 37), .passwordTooLong),
    ])
  func form(email: String, name: String, password: String, key: MessageKey) async throws {
    try await World.with(.inProcess) { @MainActor world in
      let model = try Phone(in: world).root.signIn
      (model.email, model.name, model.password) = (email, name, password)
      await model.signUp()
      #expect(model.state == .failed(Message(key)))
      #expect(world.network.sent(.signUp) == 0)
    }
  }

  @Test("the server's refusals are told apart", arguments: Transport.allCases)
  func refusals(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      try await phone.profile.logOut()
      let model = phone.root.signIn
      (model.email, model.password) = ("user@example.com", "wrong")
      await model.signIn()
      #expect(model.state == .failed(Message(.wrongPassword)))
      model.email = "nobody@example.com"
      await model.signIn()
      #expect(model.state == .failed(Message(.noSuchAccount)))
      (model.email, model.name, model.password) = ("user@example.com", "Ada", "correct horse")
      await model.signUp()
      #expect(model.state == .failed(Message(.accountExists)))
      world.network.isDown = true
      await model.signIn()
      #expect(model.state == .failed(Message(.serverUnreachable)))
      world.network.isDown = false
      for _ in 1...11 {
        model.password = "wrong"
        await model.signIn()
      }
      #expect(model.state == .failed(Message(.tooManyAttempts)))
    }
  }

  @Test(
    "a sign-up whose reply is lost is not sent again; signing in tells whether it was made",
    arguments: Transport.allCases)
  func lostReply(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      world.network.cut(.signUp, .beforeReply)
      await #expect(throws: Surprise.self) { try await phone.signUp() }
      #expect(phone.root.signIn.state == .failed(Message(.signUpUnconfirmed)))
      #expect(world.network.sent(.signUp) == 1)
      try await phone.signIn()
      #expect(phone.root.signIn.state == .signedIn)
    }
  }

  @Test(
    "a session that ended says why at the next start, and the user signs in again",
    arguments: Transport.allCases)
  func sessionEnded(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let first = try Phone(in: world)
      try await first.signUp()
      world.clock.advance(by: .seconds(86_401))
      let later = try Phone(in: world, disk: first.disk)
      await later.root.start()
      #expect(later.isSignedOut)
      #expect(later.root.signIn.state == .sessionEnded(Message(.sessionExpired)))
      try await later.signIn()
    }
  }

  @Test("a session that the server ends while the app runs ends it too", arguments: Transport.allCases)
  func endedMeanwhile(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      try await phone.signUp()
      world.clock.advance(by: .seconds(86_401))
      await phone.root.resume()
      #expect(phone.isSignedOut)
      #expect(phone.root.signIn.state == .sessionEnded(Message(.sessionExpired)))
      #expect(try await phone.disk.sessions.load() == nil)
    }
  }

  @Test(
    "an account that was deleted elsewhere is told, and leaves nothing on the device",
    arguments: Transport.allCases)
  func accountGone(transport: Transport) async throws {
    try await World.with(transport) { @MainActor world in
      let phone = try Phone(in: world)
      let gmail = try await phone.signUp()
      world.network.cut(.upload, .beforeArrival)
      await gmail.connect()
      #expect(phone.undeliveredFiles == 1)
      let other = try Phone(in: world)
      await other.root.start()
      try await other.signIn()
      try other.profile.askToDeleteAccount()
      try await other.profile.deleteAccount()
      await phone.root.resume()
      #expect(phone.root.signIn.state == .sessionEnded(Message(.accountGone)))
      #expect(phone.undeliveredFiles == 0)
      #expect(phone.isSignedOut)
    }
  }
}
