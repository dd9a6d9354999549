import Domain
import HTTP
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  /// Whatever befalls writers, in whatever order: what was acknowledged is there, once.
  @Suite("A storm of writers, some of whom are stopped, cut off or killed")
  struct WriteStormTests {
    private let ada = UserID("user_ada")

    @Test("nothing that was acknowledged is lost or made twice", arguments: 1...3)
    func storm(_ seed: UInt64) async throws {
      let world = try await StoresOnMoto(seed % 3 == 0 ? .dynamoDB : .secretsManager)
      _ = try await world.fixture.add("ada")
      let tokens = OAuthTokens.sample()
      try await world.fixture.change(ada, VaultChange(secret: .put(tokens)))
      let fate = Fate(seed)
      let toOthers = try await withThrowingTaskGroup(of: Set<String>.self) { group in
        for number in 0..<3 {
          let http = WatchedHTTP()
          strike(http, fate, world)
          let process = try world.process(http: http)
          group.addTask { await appendAll(number, by: process) }
        }
        return try await group.reduce(Set()) { $0.union($1) }
      }
      let promised = toOthers.union(fate.promised)
      world.clock.advance(by: .seconds(60))
      let stored = try #require(try await world.stores.vault.read(ada).secret.tokens).accessToken
      let marks = stored.secret.expose().split(separator: ",").map(String.init).filter {
        $0.hasPrefix("mark-")
      }
      #expect(promised.isSubset(of: marks), "lost: \(promised.subtracting(marks))")
      #expect(Set(marks).count == marks.count, "made twice: \(marks)")
      #expect(!promised.isEmpty)
      // What readers were told is there by itself too, after one more change.
      try await world.fixture.change(ada, VaultChange(connection: .put(.sample())))
      if world.placement == .secretsManager {
        let text = try #require(try await world.secretText(of: ada))
        let value = StoredValue(version: "", text: Secret(text))
        #expect(value.tokens?.accessToken == stored)
      }
    }

    /// The marks of eight changes that were acknowledged.
    private func appendAll(_ number: Int, by process: StoresOnMoto) async -> Set<String> {
      var acknowledged: Set<String> = []
      for turn in 0..<8 {
        let mark = "mark-\(number)-\(turn)"
        if await append(mark, by: process) { acknowledged.insert(mark) }
      }
      return acknowledged
    }

    private func append(_ mark: String, by process: StoresOnMoto) async -> Bool {
      let done: Void? = try? await process.stores.vault.update(ada) { stored in
        var tokens = stored.secret.tokens ?? .sample()
        tokens.accessToken = GoogleAccessToken(Secret(tokens.accessToken.secret.expose() + "," + mark))
        return (VaultChange(secret: .put(tokens)), ())
      }
      return done != nil
    }

    private func comeBetween(_ world: StoresOnMoto, _ fate: Fate) async {
      let mark = "mark-between-" + RandomSource.system.token128()
      if await append(mark, by: world) { fate.promise(mark) }
    }

    private func strike(_ http: WatchedHTTP, _ fate: Fate, _ world: StoresOnMoto) {
      http.intercept { (name, send) async throws(HTTPClientError) in
        guard ["PutSecretValue", "TransactWriteItems"].contains(name) else { return try await send() }
        switch fate.next() {
        case 0: throw .cancelled
        case 1:
          _ = try await send()
          throw .cancelled
        case 2:
          // Stopped, until another's change has come in between.
          world.clock.advance(by: WriteIntent.lifetime)
          await comeBetween(world, fate)
          return try await send()
        case 3:
          let response = try await send()
          // Stopped after it was done, until another has built upon it.
          world.clock.advance(by: WriteIntent.lifetime)
          await comeBetween(world, fate)
          return response
        default: return try await send()
        }
      }
    }
  }
}

/// What befalls a request, the same in each run for one seed and order.
private final class Fate: Sendable {
  private let state: Mutex<UInt64>
  private let promises = Mutex<Set<String>>([])

  init(_ seed: UInt64) { state = Mutex(seed &* 0x9E37_79B9_7F4A_7C15) }

  /// What was acknowledged to those who came in between.
  var promised: Set<String> { promises.withLock { $0 } }

  /// `mark` was acknowledged.
  func promise(_ mark: String) { promises.withLock { _ = $0.insert(mark) } }

  /// A number from 0 up to 11.
  func next() -> Int {
    state.withLock { state in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % 12)
    }
  }
}
