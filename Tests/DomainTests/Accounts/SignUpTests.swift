import Domain
import Primitives
import TestSupport
import Testing

@Suite("SignUp and EmailAddress")
struct SignUpTests {
  let clock = TestClock()
  let store: InMemoryStore
  let passwords = FakePasswords()
  let signUp: SignUp

  init() {
    store = InMemoryStore(time: clock.source)
    signUp = SignUp(
      users: InMemoryUserStore(store), passwords: passwords, time: clock.source,
      random: CountingRandom().source)
  }

  private func join(_ email: String, name: String = "Kim", password: String = "12345678") async throws -> User
  {
    try await signUp(email: email, name: name, password: Secret(password))
  }

  @Test("A new user has an id of user_ and a UUID, the address as typed, and a hash")
  func signsUp() async throws {
    let user = try await join(" Kim@Home.Test ")
    #expect(user.id.rawValue.hasPrefix("user_"))
    #expect(user.id.rawValue.utf8.count == 41 && user.id.rawValue == user.id.rawValue.lowercased())
    #expect(user.email == "Kim@Home.Test")
    #expect(user.passwordHash == Secret("hash of 12345678"))
    #expect(user.createdAt == clock.now)
  }

  @Test(
    "4: an address is one account's, as typed and folded; the refusal names it as typed",
    arguments: [
      "kim@home.test", "KIM@HOME.TEST", " kim@home.test\n",
    ])
  func taken(email: String) async throws {
    _ = try await join("Kim@home.test")
    let typed = try #require(EmailAddress(new: email)).typed
    await #expect(throws: SignUp.Refusal.emailTaken(typed)) { try await join(email) }
    #expect(passwords.hashed == 1, "a taken address is not worth hashing for")
  }

  @Test("4: of sign-ups side by side with one address one wins, and the store sees to it")
  func sideBySide() async throws {
    let wins = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<20 {
        group.addTask { (try? await join(index.isMultiple(of: 2) ? "a@b.c" : "A@B.C")) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(wins == 1)
  }

  @Test(
    "4: a password has 8 to 72 bytes",
    arguments: [
      (String(repeating: "a", count: 7), false), (String(repeating: "a", count: 8), true),
      (String(repeating: "a", count: 72), true), (String(repeating: "a", count: 73), false),
      (String(repeating: "é", count: 36), true), (String(repeating: "é", count: 37), false), ("éééé", true),
      ("1234567\u{0}", false),
    ])
  func passwordLength(password: String, isGood: Bool) async throws {
    if isGood {
      _ = try await join("a@b.c", password: password)
    } else {
      await #expect(throws: SignUp.Refusal.invalidPassword) { try await join("a@b.c", password: password) }
    }
  }

  @Test(
    "An address is local@domain without white space or control characters, up to 254 bytes",
    arguments: [
      ("a@b", true), ("a.b+c@d.e", true), ("ü@ö.test", true), ("", false), ("a", false), ("@b", false),
      ("a@", false),
      ("a@b@c", false), ("a b@c", false), ("a@b\u{0}", false), ("a\u{2003}b@c", false),
      (String(repeating: "a", count: 252) + "@b", true), (String(repeating: "a", count: 253) + "@b", false),
    ])
  func addresses(text: String, isGood: Bool) { #expect((EmailAddress(new: text) != nil) == isGood) }

  @Test(
    "A name is not blank, not long, and holds no control characters",
    arguments: [
      ("Kim", true), ("金 さん", true), ("", false), ("  ", false), ("a\nb", false),
      (String(repeating: "a", count: 200), true), (String(repeating: "a", count: 201), false),
    ])
  func names(name: String, isGood: Bool) async throws {
    if isGood {
      #expect(try await join("a@b.c", name: name).name == name)
    } else {
      await #expect(throws: SignUp.Refusal.invalidName) { try await join("a@b.c", name: name) }
    }
  }

  @Test("A store that is away, or a hash that fails, makes no account")
  func failures() async throws {
    passwords.fails = true
    await #expect(throws: SignUp.Refusal.hashingFailed) { try await join("a@b.c") }
    passwords.fails = false
    store.isAvailable = false
    await #expect(throws: SignUp.Refusal.store(.unavailable)) { try await join("a@b.c") }
    store.isAvailable = true
    _ = try await join("a@b.c")
  }

  @Test("4: a new password ends the sessions begun before it, and none after")
  func setPassword() async throws {
    let users = InMemoryUserStore(store)
    let user = try await join("a@b.c")
    let set = SetPassword(users: users, passwords: passwords, time: clock.source)
    clock.advance(by: .milliseconds(500))
    try await set(Secret("87654321"), email: "A@B.C")
    let changed = try #require(try await users.user(user.id))
    #expect(changed.passwordHash == Secret("hash of 87654321"))
    let second = Timestamp(seconds: clock.now.seconds)
    #expect(
      !changed.accepts(sessionIssuedAt: second), "a JWT of the same second may be older than the change")
    #expect(changed.accepts(sessionIssuedAt: second + .seconds(1)))
    #expect(
      changed.accepts(sessionIssuedAt: changed.sessionStart(at: clock.now)), "one that begins now counts")
    await #expect(throws: SetPassword.Refusal.invalidPassword) {
      try await set(Secret("short"), email: "a@b.c")
    }
    await #expect(throws: SetPassword.Refusal.unknownUser) {
      try await set(Secret("12345678"), email: "x@y.z")
    }
    store.isAvailable = false
    await #expect(throws: SetPassword.Refusal.failed) { try await set(Secret("12345678"), email: "a@b.c") }
  }
}
