import Domain
import Primitives
import TestSupport
import Testing

@Suite("ConnectGmail: repeats, races and revocations under way")
struct RepeatedUploadTests {
  let world = World()

  @Test("3.1.7: repeating the last stored upload repeats its reply without asking Google")
  func repeats() async throws {
    let user = try await world.connected("kim")
    let upload = world.upload(World.account("lee"))
    let reply = try await world.home.connect(user, upload)
    await world.home.revoker.drain()
    let (calls, stored) = (world.google.calls, try await world.stored(user))
    #expect(try await world.home.connect(user, upload) == reply)
    #expect(reply.kind == .switched)
    #expect(world.google.calls == calls)
    #expect(try await world.stored(user) == stored)
  }

  @Test("3.1.7: after a refresh that rotated the token the repeat still gets its reply")
  func repeatsAfterRotation() async throws {
    let user = try await world.user()
    let upload = world.upload(World.account("kim"))
    world.google.configure { $0.rotates = true }
    let reply = try await world.home.connect(user, upload)
    world.passAnHour()
    _ = try await world.token(user)
    #expect(try await world.home.connect(user, upload) == reply)
  }

  @Test("3.1.7: once the connection no longer stands a repeat is proven like any upload")
  func repeatAfterDisconnect() async throws {
    let user = try await world.user()
    let upload = world.upload(World.account("kim"))
    _ = try await world.home.connect(user, upload)
    _ = try await world.home.disconnect(user)
    world.clock.advance(by: .seconds(1))
    await #expect(throws: ConnectRefusal.accessTokenInvalid) { try await world.home.connect(user, upload) }
  }

  @Test("3.1.7: a repeat of an upload before the last one is proven, not answered from memory")
  func onlyTheLast() async throws {
    let user = try await world.user()
    let first = world.upload(World.account("kim"))
    _ = try await world.home.connect(user, first)
    _ = try await world.home.connect(user, world.upload(World.account("kim")))
    let calls = world.google.calls(.tokenInfo)
    #expect(try await world.home.connect(user, first).kind == .same)
    #expect(world.google.calls(.tokenInfo) > calls)
  }

  @Test("3.1.7: concurrent identical uploads with rotation store once, and all get the reply")
  func concurrentRepeats() async throws {
    let user = try await world.user()
    world.google.configure { $0.rotates = true }
    let upload = world.upload(World.account("kim"))
    let world = world
    let replies = try await withThrowingTaskGroup(of: ConnectReply.self) { group in
      for _ in 0..<20 { group.addTask { try await world.home.connect(user, upload) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(replies.count == 1)
    #expect(world.google.calls(.token) == 1)
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("3.1.7: an upload that another process stored while this one was refused gets that reply")
  func otherProcessStored() async throws {
    let user = try await world.user()
    world.google.configure { $0.rotates = true }
    let upload = world.upload(World.account("kim"))
    let gate = world.google.hold(.token)
    let second = Task { try await world.process().connect(user, upload) }
    await gate.arrival()
    let reply = try await world.home.connect(user, upload)
    gate.open()
    #expect(try await second.value == reply)
    #expect(world.google.honours(try await world.stored(user)?.refreshToken))
  }

  @Test("3.1.7: the comparison is made again inside the transaction")
  func comparesAgain() async throws {
    let user = try await world.connected("kim")
    let gate = world.google.hold(.token, .onReturn)
    let upload = world.upload(World.account("lee"))
    let connecting = Task { try await world.process().connect(user, upload) }
    await gate.arrival()
    _ = try await world.home.connect(user, world.upload(World.account("pat")))
    gate.open()
    let reply = try await connecting.value
    #expect(reply.previousGoogleEmail == "pat@gmail.test")
  }

  @Test(
    "3.5: a connect that meets a running revocation waits for it, then proves its tokens again",
    arguments: [false, true])
  func waitsForRevocation(rotates: Bool) async throws {
    let (user, other) = try await (world.connected("kim"), world.user("pat"))
    world.google.configure { $0.rotates = rotates }
    let upload = world.upload(World.account("kim"))
    world.google.fail(.revoke, .unavailable(retryAfter: nil), times: 1)
    let gate = world.google.hold(.revoke)
    let disconnecting = Task { try await world.home.disconnect(user) }
    await gate.arrival()
    let calls = world.google.calls(.tokenInfo)
    let connecting = Task { try await world.home.connect(other, upload) }
    for _ in 0..<5 {
      await world.clock.waitForSleepers(1)
      world.clock.advance(by: .milliseconds(500))
    }
    #expect(world.google.calls(.tokenInfo) == calls + 1, "it does not prove again while it waits")
    #expect(try await world.record(other) == nil)
    gate.open()
    #expect(try await disconnecting.value == .pending)
    await world.clock.waitForSleepers(1)
    world.clock.advance(by: .milliseconds(500))
    #expect(try await connecting.value.kind == .first)
    #expect(world.google.calls(.tokenInfo) == calls + 2)
    #expect(world.google.honours(try await world.stored(other)?.refreshToken))
    await world.home.sweep.once()
    world.clock.advance(by: .seconds(120))
    await world.home.sweep.once()
    #expect(world.google.honours(try await world.stored(other)?.refreshToken), "it is held now")
    #expect(world.store.revocationOrders.isEmpty)
  }

  @Test(
    "3.5: a revocation that ran between proof and write makes it prove again, and dead tokens are refused")
  func revokedBetween() async throws {
    let (user, other) = try await (world.connected("kim"), world.user("pat"))
    let upload = world.upload(World.account("kim"))
    let gate = world.google.hold(.token, .onReturn)
    let connecting = Task { try await world.home.connect(other, upload) }
    await gate.arrival()
    world.clock.advance(by: .seconds(1))
    #expect(try await world.home.disconnect(user) == .revoked)
    gate.open()
    await world.clock.waitForSleepers(1)
    world.clock.advance(by: .milliseconds(500))
    await #expect(throws: ConnectRefusal.accessTokenInvalid) { try await connecting.value }
    #expect(try await world.stored(other) == nil)
  }

  @Test("3.5: a revocation that never ends is waited for 30 s, then the device is told to come back")
  func revocationHangs() async throws {
    let (user, other) = try await (world.connected("kim"), world.user("pat"))
    let upload = world.upload(World.account("kim"))
    let gate = world.google.hold(.revoke)
    let disconnecting = Task { try await world.home.disconnect(user) }
    await gate.arrival()
    let connecting = Task { try await world.home.connect(other, upload) }
    for _ in 0..<60 {
      await world.clock.waitForSleepers(1)
      world.clock.advance(by: .milliseconds(500))
    }
    await #expect(throws: ConnectRefusal.googleUnavailable(retryAfter: RevocationMark.longestRun)) {
      try await connecting.value
    }
    gate.open()
    _ = try await disconnecting.value
  }
}
