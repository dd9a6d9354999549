import Domain
import Primitives
import TestSupport
import Testing

@Suite("LogIn")
struct LogInTests {
  let clock = TestClock()
  let store: InMemoryStore

  init() { store = InMemoryStore(time: clock.source) }

  private func logIn(_ passwords: FakePasswords, limits: PasswordLimits? = PasswordLimits()) async throws
    -> LogIn
  {
    let users = InMemoryUserStore(store)
    _ = try await users.add(
      User(
        id: UserID("user_kim"), email: "Kim@home.test", name: "Kim", passwordHash: Secret("hash of right"),
        createdAt: clock.now))
    return LogIn(users: users, passwords: passwords, limits: limits, time: clock.source)
  }

  @Test(
    "4: the address is looked up as typed, then trimmed and folded",
    arguments: [
      "Kim@home.test", "kim@HOME.test", "  kim@home.test ",
    ])
  func logsIn(email: String) async throws {
    let logIn = try await logIn(FakePasswords())
    #expect(try await logIn(email: email, password: Secret("right"), peer: "p").id == UserID("user_kim"))
  }

  @Test("4: an unknown address costs the same work as a wrong password")
  func unknown() async throws {
    let passwords = FakePasswords()
    let logIn = try await logIn(passwords)
    await #expect(throws: LogIn.Refusal.unknownUser) {
      try await logIn(email: "x@y.z", password: Secret("right"), peer: "p")
    }
    #expect(passwords.verifiedAgainstNobody == 1)
    await #expect(throws: LogIn.Refusal.wrongPassword) {
      try await logIn(email: "kim@home.test", password: Secret("wrong"), peer: "p")
    }
    #expect(passwords.verified == 1)
  }

  @Test("4: ten wrong passwords for one account from one address, then 15 minutes of waiting")
  func tenPerAccount() async throws {
    let passwords = FakePasswords()
    let logIn = try await logIn(passwords)
    for _ in 0..<10 {
      await #expect(throws: LogIn.Refusal.wrongPassword) {
        try await logIn(email: "kim@home.test", password: Secret("wrong"), peer: "p")
      }
    }
    clock.advance(by: .seconds(60))
    await #expect(throws: LogIn.Refusal.tooManyAttempts(retryAfter: .seconds(14 * 60))) {
      try await logIn(email: " KIM@home.test", password: Secret("right"), peer: "p")
    }
    #expect(passwords.verified == 10, "a try that is refused costs no hash")
    _ = try await logIn(email: "kim@home.test", password: Secret("right"), peer: "another")
    clock.advance(by: .seconds(14 * 60))
    _ = try await logIn(email: "kim@home.test", password: Secret("right"), peer: "p")
  }

  @Test("4: a hundred wrong passwords from one address, whatever the accounts; unknown ones count too")
  func hundredPerAddress() async throws {
    let logIn = try await logIn(FakePasswords())
    for index in 0..<100 {
      await #expect(throws: LogIn.Refusal.unknownUser) {
        try await logIn(email: "u\(index)@y.z", password: Secret("wrong"), peer: "p")
      }
    }
    await #expect(throws: LogIn.Refusal.tooManyAttempts(retryAfter: .seconds(15 * 60))) {
      try await logIn(email: "kim@home.test", password: Secret("right"), peer: "p")
    }
    _ = try await logIn(email: "kim@home.test", password: Secret("right"), peer: "q")
  }

  @Test("4: right passwords never count")
  func rightOnes() async throws {
    let logIn = try await logIn(FakePasswords())
    for _ in 0..<200 { _ = try await logIn(email: "kim@home.test", password: Secret("right"), peer: "p") }
  }

  @Test("4: guesses made side by side learn no more than ten answers, the right one among them or not")
  func sideBySide() async throws {
    let gate = Gate()
    let passwords = FakePasswords(gate: gate)
    let logIn = try await logIn(passwords)
    let outcomes = await withTaskGroup(of: LogIn.Refusal?.self) { group in
      for _ in 0..<50 {
        group.addTask {
          do throws(LogIn.Refusal) {
            _ = try await logIn(email: "kim@home.test", password: Secret("wrong"), peer: "p")
            return nil
          } catch { return error }
        }
      }
      while passwords.verified < 50 { await Task.yield() }
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.filter { $0 == .wrongPassword }.count == 10)
  }

  @Test("4: without limits anyone may guess for ever (load tests)")
  func noLimits() async throws {
    let logIn = try await logIn(FakePasswords(), limits: nil)
    for _ in 0..<150 {
      await #expect(throws: LogIn.Refusal.wrongPassword) {
        try await logIn(email: "kim@home.test", password: Secret("wrong"), peer: "p")
      }
    }
  }

  @Test("A store that is away is no wrong password, and does not count")
  func storeDown() async throws {
    let logIn = try await logIn(FakePasswords())
    store.isAvailable = false
    for _ in 0..<20 {
      await #expect(throws: LogIn.Refusal.store(.unavailable)) {
        try await logIn(email: "kim@home.test", password: Secret("right"), peer: "p")
      }
    }
    store.isAvailable = true
    _ = try await logIn(email: "kim@home.test", password: Secret("right"), peer: "p")
  }
}
