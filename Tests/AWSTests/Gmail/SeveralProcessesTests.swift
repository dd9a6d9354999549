import Domain
import Primitives
import TestSupport
import Testing

@testable import AWS

extension StoreTests {
  /// Processes that work on one connection at once. Whoever waits moves their common clock on, so that writers lose
  /// their time in the middle of a write too.
  @Suite("Several processes on AWS")
  struct SeveralProcessesOnAWSTests {
    @Test(
      "each change that was acknowledged is made once, whoever comes in between",
      arguments: AWSStores.TokenPlacement.allCases)
    func updates(_ placement: AWSStores.TokenPlacement) async throws {
      let world = try await StoresOnMoto(placement)
      let ada = try await world.fixture.add("ada")
      try await world.fixture.connect(ada)
      let processes = try (0..<4).map { _ in try world.process() }
      let acknowledged = await withTaskGroup(of: Bool.self) { group in
        for process in processes {
          for _ in 0..<6 {
            group.addTask {
              let done: Void? = try? await process.stores.vault.update(ada) { stored in
                (VaultChange(secret: .put(.sample(fence: (stored.secret.tokens?.fence ?? -1000) + 1))), ())
              }
              return done != nil
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(acknowledged > 0)
      for process in processes {
        #expect(try await process.stores.vault.read(ada).secret.tokens?.fence == Int64(acknowledged))
      }
    }

    @Test("one refresh serves them all, though Google puts a new refresh token in the old one's place")
    func refreshes() async throws {
      let world = try await StoresOnMoto(.secretsManager)
      let first = ProductOnMoto(world)
      let ada = try await world.fixture.add("ada")
      _ = try await first.post(ada, first.upload("ada"))
      first.google.configure { $0.rotates = true }
      first.passAnHour()
      let calls = first.google.calls(.token)
      let products = try (0..<4).map { _ in ProductOnMoto(try world.process(), google: first.google) }
      let tokens = try await withThrowingTaskGroup(of: GoogleAccessToken.self) { group in
        for product in products { group.addTask { try await product.tokens.accessToken(for: ada) } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(tokens.count == 1 && first.google.calls(.token) == calls + 1)
      let stored = try await world.stores.vault.read(ada).secret.tokens
      #expect(first.google.honours(stored?.refreshToken))
    }
  }
}
