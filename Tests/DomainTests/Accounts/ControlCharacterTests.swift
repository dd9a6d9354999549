import Domain
import Primitives
import TestSupport
import Testing

@Suite("Control characters in what a person is called")
struct ControlCharacterTests {
  let world = World()
  /// Each C0 and C1 control; a terminal obeys both kinds.
  static let controls = (Array(0x00...0x1F) + Array(0x7F...0x9F)).compactMap { Unicode.Scalar(UInt32($0)) }

  @Test("None of them gets into an address or a name", arguments: controls)
  func refused(control: Unicode.Scalar) async throws {
    let signUp = SignUp(
      users: world.users, passwords: FakePasswords(), time: world.clock.source, random: world.random.source)
    await #expect(throws: SignUp.Refusal.invalidEmail) {
      try await signUp(email: "a\(control)b@home.test", name: "Kim", password: Secret("password"))
    }
    await #expect(throws: SignUp.Refusal.invalidName) {
      try await signUp(email: "ab@home.test", name: "K\(control)im", password: Secret("password"))
    }
  }
}
