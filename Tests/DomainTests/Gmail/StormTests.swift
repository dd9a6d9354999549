import Domain
import Primitives
import Synchronization
import TestSupport
import Testing

/// Random lives of three users, two Google accounts and two processes, with answers that come late. Google
/// never ends a grant of its own accord here, so that each loss is a fault of ours.
@Suite(
  "Storm: whatever happens in whatever order, no live grant is lost, mixed or revoked from under its holder")
struct StormTests {
  @Test("A hundred lives, with and without rotation", arguments: 0..<100)
  func storm(seed: UInt64) async throws {
    let storm = Storm(seed: seed)
    try await storm.begin()
    for _ in 0..<60 { try await storm.step() }
    try await storm.calmDown()
    for user in storm.users { try await storm.check(user) }
  }
}

private final class Storm: Sendable {
  private struct State {
    var random: UInt64
    /// Answers that are held back: at most one refresh a user, and connects.
    var held: [(user: UserID, gate: Gate, task: Task<Void, Never>)] = []
  }

  let world = World()
  let users = ["ann", "bob", "cid"].map { UserID("user_" + $0) }
  private let accounts = [World.account("kim"), World.account("lee")]
  private let other: Process
  private let state: Mutex<State>

  init(seed: UInt64) {
    other = world.process()
    state = Mutex(State(random: seed))
    world.google.configure { $0.rotates = seed.isMultiple(of: 2) }
  }

  func begin() async throws { for name in ["ann", "bob", "cid"] { _ = try await world.user(name) } }

  /// SplitMix64.
  private func draw(_ bound: Int) -> Int {
    state.withLock { state in
      state.random &+= 0x9E37_79B9_7F4A_7C15
      var bits = state.random
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }
  }

  func step() async throws {
    let user = users[draw(users.count)]
    let process = draw(2) == 0 ? world.home : other
    switch draw(14) {
    case 0, 1: world.clock.advance(by: .seconds([1, 40, 61, 3601, 7200][draw(5)]))
    case 2, 3: await land(Task { _ = try? await process.tokens.accessToken(for: user) })
    case 4, 5: await holdRefresh(of: user, by: process)
    case 6: await openOne()
    case 7, 8: await connect(user, by: process, withRefreshToken: true)
    case 9: await connect(user, by: process, withRefreshToken: false)
    case 10: await holdConnect(user, by: process)
    case 11: await land(Task { _ = try? await process.disconnect(user) })
    case 12: world.google.fail(.token, .refused(.invalidGrant(rapt: false)), times: 1)
    default: await land(Task { await process.sweep.once() })
    }
  }

  private func upload(withRefreshToken: Bool) -> UploadedTokens {
    world.upload(accounts[draw(2)], withRefreshToken: withRefreshToken)
  }

  private func connect(_ user: UserID, by process: Process, withRefreshToken: Bool) async {
    let upload = upload(withRefreshToken: withRefreshToken)
    await openAll(of: user)
    await land(Task { _ = try? await process.connect(user, upload) })
  }

  private func holdConnect(_ user: UserID, by process: Process) async {
    let upload = upload(withRefreshToken: true)
    await openAll(of: user)
    await hold(.userInfo, user) { _ = try? await process.connect(user, upload) }
  }

  /// A second one in the air would be a takeover that has not ended, which may not be written (3.4).
  private func holdRefresh(of user: UserID, by process: Process) async {
    guard !state.withLock({ $0.held.contains { $0.user == user } }) else { return }
    await hold(.token, user) { _ = try? await process.tokens.accessToken(for: user) }
  }

  private func hold(
    _ endpoint: FakeGoogle.Endpoint, _ user: UserID, _ work: @escaping @Sendable () async -> Void
  ) async {
    let gate = world.google.hold(endpoint, .onReturn)
    let done = Gate()
    let task = Task {
      await work()
      await done.pass()
    }
    done.open()
    // It may end without asking Google: then its gate is nobody's, and must not hold a stranger.
    let ending = Task {
      await task.value
      world.google.withdraw(gate)
    }
    for _ in 0..<50 where !gate.hasArrival { await Task.yield() }
    if gate.hasArrival {
      state.withLock { $0.held.append((user, gate, ending)) }
    } else {
      world.google.withdraw(gate)
      gate.open()
      await land(ending)
    }
  }

  private func openOne() async {
    let count = state.withLock { $0.held.count }
    guard count > 0 else { return }
    let index = draw(count)
    let (_, gate, task) = state.withLock { $0.held.remove(at: index) }
    gate.open()
    await land(task)
  }

  private func openAll(of user: UserID) async {
    let mine = state.withLock { state in
      defer { state.held.removeAll { $0.user == user } }
      return state.held.filter { $0.user == user }
    }
    for (_, gate, task) in mine {
      gate.open()
      await land(task)
    }
  }

  /// Lets time pass until `task` is through its pauses.
  private func land(_ task: Task<Void, Never>) async {
    let landed = Gate()
    let watcher = Task {
      await task.value
      await landed.pass()
    }
    landed.open()
    var turns = 0
    while !landed.hasArrival {
      await Task.yield()
      turns += 1
      if turns.isMultiple(of: 20) { world.clock.advance(by: .milliseconds(500)) }
    }
    await watcher.value
  }

  /// Everything lands, Google is well, and the daily round comes by twice.
  func calmDown() async throws {
    for user in users { await openAll(of: user) }
    world.google.heal(.token)
    for _ in 0..<6 {
      for process in [world.home, other] {
        await land(
          Task {
            await process.tokens.drain()
            await process.revoker.drain()
          })
      }
      world.clock.advance(by: .seconds(12 * 3600))
      await land(Task { [world] in await world.home.sweep.once() })
    }
  }

  func check(_ user: UserID) async throws {
    let stored = try await world.vault.read(user)
    #expect(!(stored.lease?.isLive(at: world.clock.now) ?? false))
    guard let tokens = stored.secret.tokens else {
      #expect(!(stored.connection?.isConnected(at: world.clock.now) ?? false))
      return
    }
    let record = try #require(stored.connection)
    #expect(record.account == tokens.account)
    #expect(record.grantID == stored.secret.grantID)
    #expect(world.google.account(behind: tokens.accessToken) == tokens.account)
    #expect(record.isConnected(at: world.clock.now))
    guard let refreshToken = tokens.refreshToken else { return }
    #expect(world.google.honours(refreshToken), "\(record.recordedStatus)")
    #expect(world.google.account(behind: refreshToken) == tokens.account)
    #expect(world.google.honours(try await world.token(user), at: world.clock.now))
  }
}
